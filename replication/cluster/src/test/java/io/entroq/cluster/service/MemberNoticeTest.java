package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MemberNoticeTest {
  /** Members of other builds read them. */
  @ParameterizedTest
  @CsvSource({
    "WANTS_SNAPSHOT, 4557010002000000ff00000000000000",
    "LEAVES, 4556010002000000ff00000000000000",
    "CLOSES_CLUSTER, 4543010002000000ff00000000000000"
  })
  void shouldKeepItsFormat(MemberNotice.Kind kind, String expected) {
    DirectBuffer message = new MemberNotice(kind, 2, 255).encode();
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < message.capacity(); i++) {
      hex.append("%02x".formatted(message.getByte(i)));
    }
    assertThat(hex).hasToString(expected);
  }

  @ParameterizedTest
  @EnumSource
  void shouldReadWhatItWrote(MemberNotice.Kind kind) {
    MemberNotice notice = new MemberNotice(kind, 2, Long.MAX_VALUE);
    assertThat(MemberNotice.read(notice.encode(), 0, MemberNotice.BYTES)).isEqualTo(notice);
  }

  @Test
  void shouldReadNothingElse() {
    DirectBuffer message = new MemberNotice(MemberNotice.Kind.LEAVES, 2).encode();
    assertThat(MemberNotice.read(message, 0, MemberNotice.BYTES - 1)).isNull();
    assertThat(MemberNotice.read(message, 8, 8)).isNull();
  }
}
