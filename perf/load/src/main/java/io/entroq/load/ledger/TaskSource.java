package io.entroq.load.ledger;

import java.util.ArrayList;
import java.util.List;

/** Numbers the tasks of one caller and enters them into its ledger. For one thread. */
public final class TaskSource {
  private final TaskTags tags;
  private final SourceLedger ledger;
  private final int source;

  public TaskSource(TaskTags tags, TaskLedger ledger, int source) {
    this.tags = tags;
    this.ledger = ledger.of(source);
    this.source = source;
  }

  /** The values of the next tasks, which count from {@link #begin} on. */
  public List<byte[]> next(int tasks) {
    long number = ledger.next();
    if (tasks == 1) {
      return List.of(tags.value(source, number));
    }
    List<byte[]> values = new ArrayList<>(tasks);
    for (int i = 0; i < tasks; i++) {
      values.add(tags.value(source, number + i));
    }
    return values;
  }

  /** Called before the tasks of the last {@link #next} are inserted. */
  public void begin(int tasks) {
    ledger.begin(tasks);
  }

  /** Called after they are inserted. */
  public void acknowledge() {
    ledger.acknowledge();
  }
}
