//! What a ship draws, and how much water that leaves.

use crate::vessel::Vessel;

/// Draught in the brackish water of the inner harbour, where a ship sits a little deeper.
pub fn in_brackish_water(vessel: &Vessel) -> i32 {
    vessel.draught + vessel.draught / 50
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackish_water_carries_less() {
        assert_eq!(in_brackish_water(&Vessel::new("Gannet", 400, 9_000)), 408);
    }
}
