package io.entroq.examples.mapreduce;

import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;

/** Does the tasks of every stage that workers share. Any thread. */
public final class StageHandler implements Handler<Value> {
  private final Handler<Value> map;
  private final Handler<Value> shuffle;
  private final Handler<Value> reduce = new ReduceHandler();

  /** Works on a job. */
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

  /** A number for a task that is the same however often the job is done. */
  public static long key(Task task) {
    Stage stage = Stage.of(task.queue());
    long ordinal =
        stage == Stage.SHUFFLE
            ? CountsCodec.ordinal(task.value())
            : task.text().split(" ", 2)[0].hashCode();
    return (long) stage.label().hashCode() << 32 ^ ordinal;
  }
}
