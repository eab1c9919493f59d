package io.entroq.sinks;

import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.FeedPosition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Effects that no engine has told. */
final class TestEffects {
  static final String LOG = "0123456789abcdef0123456789abcdef";

  private TestEffects() {}

  static FeedPosition position(long sequence, int index) {
    return new FeedPosition(sequence, index, LOG, 0);
  }

  static FeedPosition step(long sequence) {
    return position(sequence, FeedPosition.WHOLE_STEP);
  }

  static Effect effect(EffectKind kind, Optional<FeedPosition> position, String id, Value value) {
    Instant time = Instant.ofEpochMilli(1_000);
    Task task = new Task(TaskId.of(id), 0, "inbox", time, "", value, time, time, 0, 0, "");
    return new Effect(
        kind,
        position,
        time,
        Optional.of(task),
        1,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        false,
        false);
  }

  /** An insert with its position as the id of the task. */
  static Effect inserted(long sequence, int index) {
    FeedPosition position = position(sequence, index);
    String id = sequence + "-" + index;
    return effect(EffectKind.INSERTED, Optional.of(position), id, Value.absent());
  }

  /** A task of the state with which a feed begins. */
  static Effect existing(String id) {
    return effect(EffectKind.INSERTED, Optional.empty(), id, Value.absent());
  }

  /** One insert, and the step it is in. */
  static SinkBatch batch(long sequence) {
    return new SinkBatch(List.of(inserted(sequence, 0)), Optional.of(step(sequence)));
  }
}
