//! The harbour as its users see it.

use harbour::{schedule, Berth, TideTable, Vessel};

#[test]
fn both_names_of_the_clearance_agree() {
    let quay = Berth::new("North Quay", 510, 12_000);
    let ship = Vessel::new("Wavecrest", 420, 8_600);
    assert_eq!(
        harbour::berth::clearance(&ship, &quay, 60),
        harbour::clearance(&ship, &quay, 60)
    );
}

#[test]
fn a_ship_comes_in_with_the_flood() {
    let tides = TideTable::new(&[(0, 0), (360, 360)]);
    let quay = Berth::new("North Quay", 400, 12_000);
    let ship = Vessel::new("Wavecrest", 420, 8_600);
    let minute = schedule::first_chance(&ship, &quay, &tides).expect("the flood comes");
    assert!(harbour::clearance(&ship, &quay, minute) >= 0);
}
