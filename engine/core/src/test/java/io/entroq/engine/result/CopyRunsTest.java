package io.entroq.engine.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.CopyRuns;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.TaskFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

class CopyRunsTest {
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

  /** The ends of the runs of inserted tasks in these queues; empty: not named. */
  private List<Integer> ends(String... queues) {
    ResultEncoder encoder = new ResultEncoder();
    encoder.wrap(buffer, 0).code(ResultCodes.OK).sequence(1).logTimeMs(1);
    TaskFields task = new TaskFields();
    for (int i = 0; i < queues.length; i++) {
      task.clear();
      task.id().set(1, i + 1);
      task.queue().wrap(queues[i].getBytes(StandardCharsets.UTF_8));
      encoder.inserted(task);
    }
    ResultDecoder result = new ResultDecoder();
    result.wrap(buffer, 0, encoder.length());
    List<Integer> ends = new ArrayList<>();
    for (int at = 0; at < queues.length; at = ends.get(ends.size() - 1)) {
      ends.add(CopyRuns.end(result, at));
    }
    return ends;
  }

  @Test
  void shouldTakeEachPlainTaskForAnInsert() {
    assertThat(ends("", "", "")).containsExactly(1, 2, 3);
  }

  @Test
  void shouldTakeTheGroupsOfATopicForOneInsert() {
    assertThat(ends("T/a", "T/b", "T/c")).containsExactly(3);
    assertThat(ends("", "T/a", "T/b", "")).containsExactly(1, 3, 4);
  }

  @Test
  void shouldTellInsertsIntoTheSameTopicApart() {
    assertThat(ends("T/a", "T/b", "T/a", "T/b")).containsExactly(2, 4);
    assertThat(ends("T/a", "T/a", "T/a")).containsExactly(1, 2, 3);
  }

  @Test
  void shouldTellTopicsApart() {
    assertThat(ends("T/a", "T/b", "U/a", "U/b")).containsExactly(2, 4);
    assertThat(ends("T/a", "T/a/x", "T/a/y")).containsExactly(1, 3);
    assertThat(ends("T/a/x", "T/b")).containsExactly(1, 2);
  }
}
