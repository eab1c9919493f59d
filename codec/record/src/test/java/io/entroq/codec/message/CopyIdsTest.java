package io.entroq.codec.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class CopyIdsTest {

  /** These are in logs: they never change. */
  @Test
  void idsOfCopiesStayAsTheyAre() {
    assertThat(copy(0, 1, "billing")).isEqualTo("cf869fc3b680e3a5:db4fe20bac0d172");
    assertThat(copy(0x0123456789ABCDEFL, -1, "mail"))
        .isEqualTo("9ee54f662498f4fe:d13867cbb1edb04c");
    assertThat(copy(0, 0, "é")).isEqualTo("a5269ccb3eb42dca:51d358e8e2c1bcf8");
  }

  @Test
  void idsAndGroupsGiveDifferentIds() {
    Set<String> seen = new HashSet<>();
    for (int id = 1; id <= 1_000; id++) {
      for (int group = 0; group < 20; group++) {
        assertThat(seen.add(copy(0, id, "g" + group))).isTrue();
        assertThat(seen.add(copy(id, 0, "g" + group))).isTrue();
      }
    }
  }

  @Test
  void theNameOfTheGroupIsReadFromItsOffset() {
    UnsafeBuffer names = new UnsafeBuffer("billing,mail".getBytes(StandardCharsets.UTF_8));
    assertThat(CopyIds.hash(names, 8, 4)).isEqualTo(hash("mail")).isNotEqualTo(hash("billing"));
  }

  private static String copy(long high, long low, String group) {
    long hash = hash(group);
    return Long.toHexString(CopyIds.high(high, hash))
        + ":"
        + Long.toHexString(CopyIds.low(high, low, hash));
  }

  private static long hash(String group) {
    byte[] name = group.getBytes(StandardCharsets.UTF_8);
    return CopyIds.hash(new UnsafeBuffer(name), 0, name.length);
  }
}
