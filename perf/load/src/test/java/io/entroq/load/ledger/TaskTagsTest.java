package io.entroq.load.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskTagsTest {
  private final TaskTags tags = new TaskTags(42, 128);

  @Test
  void shouldKeepWhatItIsGiven() {
    byte[] value = tags.value(31, 1L << 33);
    assertThat(value).hasSize(128);
    assertThat(tags.isOn(value)).isTrue();
    assertThat(TaskTags.source(value)).isEqualTo(31);
    assertThat(TaskTags.number(value)).isEqualTo(1L << 33);
  }

  @Test
  void shouldRefuseValuesOfAnotherRunAndDamagedOnes() {
    byte[] value = tags.value(0, 7);
    assertThat(new TaskTags(43, 128).isOn(value)).isFalse();
    value[value.length - 1] ^= 1;
    assertThat(tags.isOn(value)).isFalse();
    assertThat(tags.isOn(new byte[5])).isFalse();
  }
}
