package io.entroq.examples.mapreduce;

import io.entroq.api.Change;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import java.util.List;

/**
 * Begins a stage when the one before it has ended. A stage is filled at once, in the commit that
 * makes the plan wait for it, and from then on it only shrinks: when its queue is empty, all of it
 * is committed.
 *
 * <p>The plan is one task until it becomes the result. While it waits the worker renews its lease;
 * if the process dies, another one waits on. Any thread.
 */
final class PlanHandler implements Handler<String> {
  private static final String AWAIT_MAP = "await map";
  private static final String AWAIT_REDUCE = "await reduce";

  private final CountQueues queues;

  PlanHandler(CountQueues queues) {
    this.queues = queues;
  }

  /**
   * All that has to be inserted for a count of the words of some pieces of text. The plan has an id
   * of its own, so that a count of this name cannot begin twice until its result is fetched.
   */
  static Modification begin(CountQueues queues, List<String> pieces) {
    Insert plan = Insert.into(queues.plan()).withId(queues.prefix()).withValue(AWAIT_MAP);
    Modification.Builder all = Modification.builder().insert(plan);
    pieces.forEach(piece -> all.insert(queues.map(), piece));
    return all.build();
  }

  @Override
  public Outcome handle(WorkContext<String> work) throws InterruptedException {
    return switch (work.value()) {
      case AWAIT_MAP -> {
        work.queue().waitQueuesEmpty(QueueQuery.named(queues.map()));
        yield Outcome.modify(reduce(work.task()));
      }
      case AWAIT_REDUCE -> {
        work.queue().waitQueuesEmpty(QueueQuery.named(queues.reduce()));
        yield Outcome.modify(result(work.task(), work.queue().tasks(TaskQuery.in(queues.sums()))));
      }
      default -> Outcome.quarantine("no such plan: " + work.value());
    };
  }

  private Modification reduce(Task plan) {
    Modification.Builder commit = Modification.builder();
    commit.change(Change.of(plan).withValue(AWAIT_REDUCE));
    queues.parts().forEach(part -> commit.insert(queues.reduce(), part));
    return commit.build();
  }

  private Modification result(Task plan, List<Task> sums) {
    Modification.Builder commit = Modification.builder();
    Counts result = new Counts();
    for (Task sum : sums) {
      result.addAll(Counts.CODEC.decode(sum.value()));
      commit.delete(sum);
    }
    Value value = Counts.CODEC.encode(result);
    return commit.change(Change.of(plan).moveTo(queues.result()).withValue(value)).build();
  }
}
