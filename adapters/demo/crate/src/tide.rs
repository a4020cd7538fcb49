//! The height of the water over chart datum.

/// One high or low water.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    pub minute: i32,
    pub height: i32,
}

/// The turns of one day, in order.
#[derive(Debug, Clone, Default)]
pub struct TideTable {
    turns: Vec<Turn>,
}

impl TideTable {
    pub fn new(turns: &[(i32, i32)]) -> Self {
        let turns = turns
            .iter()
            .map(|&(minute, height)| Turn { minute, height })
            .collect();
        TideTable { turns }
    }

    /// Height at a minute of the day, on a straight line between the turns around it.
    pub fn height_at(&self, minute: i32) -> Option<i32> {
        let after = self.turns.iter().position(|turn| turn.minute >= minute)?;
        let next = self.turns[after];
        if next.minute == minute || after == 0 {
            return (next.minute == minute).then_some(next.height);
        }
        let last = self.turns[after - 1];
        let share = (next.height - last.height) * (minute - last.minute);
        Some(last.height + share / (next.minute - last.minute))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_exact() {
        let table = TideTable::new(&[(0, 40), (360, 400)]);
        assert_eq!(table.height_at(360), Some(400));
    }

    #[test]
    fn between_two_turns_the_water_rises_evenly() {
        let table = TideTable::new(&[(0, 40), (360, 400)]);
        assert_eq!(table.height_at(180), Some(220));
    }

    #[test]
    fn outside_of_the_table_nothing_is_known() {
        let table = TideTable::new(&[(60, 40), (360, 400)]);
        assert_eq!(table.height_at(10), None);
    }
}
