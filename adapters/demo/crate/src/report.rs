//! One line per ship, for the board in the harbour office.

use crate::berth::*;
use crate::vessel::Vessel;

/// Who lies where, and with how much water.
pub fn line(vessel: &Vessel, berth: &Berth, tide: i32) -> String {
    let left = clearance(vessel, berth, tide);
    let verdict = if fits(vessel, berth, tide) {
        "may berth"
    } else {
        "waits"
    };
    format!("{}: {left} cm at {}, {verdict}", vessel.name, berth.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_names_ship_and_quay() {
        let quay = Berth::new("Old Steps", 300, 4_000);
        let text = line(&Vessel::new("Plover", 100, 3_000), &quay, 20);
        assert_eq!(text, "Plover: 165 cm at Old Steps, may berth");
    }
}
