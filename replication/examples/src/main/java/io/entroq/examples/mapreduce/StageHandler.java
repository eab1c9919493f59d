package io.entroq.examples.mapreduce;

import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;

/** Runs the tasks of all stages that workers share. Thread-safe. */
public final class StageHandler implements Handler<Value> {
  private final Handler<Value> map;
  private final Handler<Value> shuffle;
  private final Handler<Value> reduce = new ReduceHandler();

  public StageHandler(Job job) {
    map = new MapHandler(job.root());
    shuffle = new ShuffleHandler(job.partitions());
  }

  @Override
  public Outcome handle(WorkContext<Value> work) throws Exception {
    Stage stage = Stage.of(work.task().queue());
    return switch (stage) {
      case MAP -> map.handle(work);
      case SHUFFLE -> shuffle.handle(work);
      case REDUCE -> reduce.handle(work);
      case COORDINATE -> throw new IllegalStateException("workers do not coordinate");
    };
  }

  /** A number for a task that is the same in every run of the job. */
  public static long key(Task task) {
    Stage stage = Stage.of(task.queue());
    long ordinal =
        stage == Stage.SHUFFLE
            ? CountsCodec.ordinal(task.value())
            : task.text().split(" ", 2)[0].hashCode();
    return (long) stage.label().hashCode() << 32 ^ ordinal;
  }
}
