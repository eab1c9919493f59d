package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SparseRecordsTest {
  private static final int SLOTS = 20_000;

  @Test
  void shouldHoldWhatIsThereAndNothingElse() {
    SparseRecords records = new SparseRecords(16);
    TreeMap<Integer, Long> expected = new TreeMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 50_000; i++) {
      int slot = random.nextInt(SLOTS);
      if (expected.containsKey(slot)) {
        assertThat(records.getLong(slot, 8)).isEqualTo(expected.remove(slot));
        records.remove(slot);
      } else {
        records.add(slot);
        assertThat(records.getLong(slot, 0)).isZero();
        assertThat(records.getLong(slot, 8)).isZero();
        long value = random.nextLong();
        records.putInt(slot, 0, 1 + slot);
        records.putLong(slot, 8, value);
        expected.put(slot, value);
      }
    }
    expected.forEach(
        (slot, value) -> {
          assertThat(records.mayHave(slot)).isTrue();
          assertThat(records.getInt(slot, 0)).isEqualTo(1 + slot);
          assertThat(records.getLong(slot, 8)).isEqualTo(value);
          records.remove(slot);
          assertThat(records.mayHave(slot) ? records.getLong(slot, 8) : 0).isZero();
        });
    assertThat(records.memoryBytes()).as("one spare page").isEqualTo(16 << 10);
    assertThatThrownBy(() -> records.remove(1)).isInstanceOf(InvariantBrokenException.class);
    records.close();
    assertThat(records.memoryBytes()).isZero();
  }
}
