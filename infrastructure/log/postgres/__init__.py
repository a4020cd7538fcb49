"""The event log on a PostgreSQL server, for one repository on several machines (`M1ND_LOG_URL`).

Same rows, same chain, same contract as the file `log.db`; `m1nd log export` and `import` carry a log from one to the
other. Needs the extra `m1nd[postgres]`.
"""
