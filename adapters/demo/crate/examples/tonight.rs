//! What the harbour office reads out at six o'clock: `cargo run --example tonight`.

use harbour::berth::{clearance, Berth};
use harbour::{report, TideTable, Vessel};

fn main() {
    let tides = TideTable::new(&[(0, 310), (370, 40), (745, 330), (1_115, 60), (1_439, 300)]);
    let quay = Berth::new("North Quay", 480, 14_000);
    let evening = tides.height_at(18 * 60).unwrap_or(0);
    for vessel in [
        Vessel::new("Wavecrest", 420, 8_600),
        Vessel::new("Cormorant", 610, 13_200),
    ] {
        println!("{}", report::line(&vessel, &quay, evening));
        if clearance(&vessel, &quay, evening) < 0 {
            let at_best = clearance(&vessel, &quay, 330);
            println!("  at high water: {at_best} cm");
        }
    }
}
