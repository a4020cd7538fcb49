"""Property tests draw the same examples every time, so that the suite passes or fails for everybody alike.

`make soak` draws anew; what it finds becomes a case of its own.
"""

import os

from hypothesis import settings

settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile("soak", deadline=None)
settings.load_profile("soak" if os.environ.get("M1ND_SOAK") else "suite")
