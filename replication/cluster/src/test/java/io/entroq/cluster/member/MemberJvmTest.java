package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MemberJvmTest {
  private static final String SERIAL = "-XX:+UseSerialGC";

  @Test
  void shouldCollectWithOneThreadWhenThereAreFewProcessors() {
    assertThat(MemberJvm.flags(2, Map.of())).contains(SERIAL);
    assertThat(MemberJvm.flags(3, Map.of())).isNotEmpty().doesNotContain(SERIAL);
  }

  @Test
  void shouldLeaveTheCollectorThatTheUserNames() {
    for (String variable : new String[] {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"}) {
      assertThat(MemberJvm.flags(1, Map.of(variable, "-Xmx1g -XX:+UseZGC"))).doesNotContain(SERIAL);
      assertThat(MemberJvm.flags(1, Map.of(variable, "-Xmx1g"))).contains(SERIAL);
    }
  }
}
