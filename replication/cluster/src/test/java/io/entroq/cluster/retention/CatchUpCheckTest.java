package io.entroq.cluster.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When a member may conclude that no other member has the log that it lacks. */
class CatchUpCheckTest {
  private static final int NOBODY = -1;
  private static final OptionalLong SILENT = OptionalLong.empty();

  @Test
  void shouldUseTheEarliestStart() {
    Map<Integer, OptionalLong> starts = Map.of(0, OptionalLong.of(900), 1, OptionalLong.of(300));
    assertThat(CatchUpCheck.kept(starts, NOBODY)).hasValue(300);
    assertThat(CatchUpCheck.kept(starts, 0)).hasValue(300);
  }

  @Test
  void shouldWaitForSilentMembersWithoutALeader() {
    Map<Integer, OptionalLong> starts = Map.of(0, OptionalLong.of(900), 1, SILENT);
    assertThat(CatchUpCheck.kept(starts, NOBODY)).isEmpty();
    assertThat(CatchUpCheck.kept(starts, 1)).as("the leader has not answered").isEmpty();
    assertThat(CatchUpCheck.kept(Map.of(0, SILENT, 1, SILENT), NOBODY)).isEmpty();
  }

  @Test
  void shouldNotWaitForSilentMembersIfTheLeaderAnswers() {
    assertThat(CatchUpCheck.kept(Map.of(0, OptionalLong.of(900), 1, SILENT), 0)).hasValue(900);
  }

  @Test
  void shouldKnowNothingWithoutOtherMembers() {
    assertThat(CatchUpCheck.kept(Map.of(), NOBODY)).isEmpty();
  }
}
