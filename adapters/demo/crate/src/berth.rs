//! Berths, and whether a ship fits.

use crate::vessel::Vessel;

/// A place at a quay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Berth {
    pub name: String,
    /// Depth below chart datum.
    pub depth: i32,
    pub length: i32,
}

impl Berth {
    pub fn new(name: &str, depth: i32, length: i32) -> Self {
        Berth {
            name: name.to_string(),
            depth,
            length,
        }
    }
}

/// Water that the harbour master wants to see under every keel.
const MARGIN: i32 = 50;

/// How much deeper a long ship sits while it moves through shallow water.
fn squat(vessel: &Vessel) -> i32 {
    vessel.length / 600
}

/// Down to the next five centimetres: nobody reads a gauge more closely.
fn to_gauge(length: i32) -> i32 {
    length.div_euclid(5) * 5
}

/// Water left under the keel of `vessel` at `berth`, over the margin, at a given height of the tide.
///
/// Below zero the ship has to wait: see [`first_chance`](crate::schedule::first_chance).
#[must_use]
pub fn clearance(vessel: &Vessel, berth: &Berth, tide: i32) -> i32 {
    let water = berth.depth + tide;
    to_gauge(water - vessel.draught - squat(vessel) - MARGIN)
}

/// Quay left when `vessel` lies at `berth`.
pub fn quay_left(vessel: &Vessel, berth: &Berth) -> i32 {
    to_gauge(berth.length - vessel.length)
}

/// Whether `vessel` can lie at `berth` at this height of the tide.
pub fn fits(vessel: &Vessel, berth: &Berth, tide: i32) -> bool {
    quay_left(vessel, berth) >= 0 && clearance(vessel, berth, tide) >= 0
}

#[cfg(test)]
mod tests {
    use super::Berth;
    use crate::vessel::Vessel;

    #[test]
    fn a_long_ship_needs_more_water() {
        let quay = Berth::new("North Quay", 510, 30_000);
        let short = Vessel::new("Plover", 420, 3_000);
        let long = Vessel::new("Cormorant", 420, 24_000);
        assert!(super::clearance(&long, &quay, 60) < super::clearance(&short, &quay, 60));
    }

    #[test]
    fn the_margin_is_taken_off() {
        let quay = Berth::new("North Quay", 500, 12_000);
        let skiff = Vessel::new("Skiff", 0, 500);
        assert_eq!(super::clearance(&skiff, &quay, 0), 450);
    }

    #[test]
    fn a_ship_longer_than_the_quay_does_not_fit() {
        let quay = Berth::new("Old Steps", 900, 4_000);
        assert!(!super::fits(&Vessel::new("Gannet", 100, 4_500), &quay, 0));
    }
}
