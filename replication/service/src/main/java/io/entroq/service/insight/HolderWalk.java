package io.entroq.service.insight;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ListTasksEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import io.entroq.service.insight.sweep.SweepColumn;
import io.entroq.service.insight.sweep.SweepColumns;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds who holds which tasks of a state: looks through the queues that have tasks in flight, each
 * until it has found all of them.
 */
final class HolderWalk implements Completion {
  private final Gateway gateway;
  private final SweepColumns queues;
  private final int[] rows;
  private final WorkerBook book;
  private final CompletableFuture<WorkerBook> done = new CompletableFuture<>();
  private int at;
  private String queue;
  private long left;
  private Listing listing;

  /**
   * @param queues of the same state
   * @param book gets what is found
   */
  HolderWalk(Gateway gateway, SweepColumns queues, WorkerBook book) {
    this.gateway = gateway;
    this.queues = queues;
    this.book = book;
    rows =
        IntStream.range(0, queues.size())
            .filter(row -> queues.value(SweepColumn.IN_FLIGHT, row) > 0)
            .toArray();
  }

  /** Begins; completes exceptionally if the engine refuses. */
  CompletableFuture<WorkerBook> begin() {
    try {
      nextQueue();
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
    return done;
  }

  private void nextQueue() {
    if (at == rows.length) {
      done.complete(book);
      return;
    }
    int row = rows[at++];
    queue = queues.name(row);
    left = queues.value(SweepColumn.IN_FLIGHT, row);
    DirectBuffer name = new UnsafeBuffer(queue.getBytes(StandardCharsets.UTF_8));
    listing =
        gateway.tasks(
            buffer ->
                new ListTasksEncoder()
                    .wrap(buffer, 0)
                    .queue(name, 0, name.capacity())
                    .omitsValues(true)
                    .length());
    listing.next(this);
  }

  @Override
  public void onResult(ResultDecoder result) {
    try {
      for (int i = 0; i < result.taskCount(); i++) {
        TaskDecoder task = result.task(i);
        if (task.inFlight()) {
          left--;
          hold(result.buffer(), task);
        }
      }
      if (left > 0 && !listing.isComplete()) {
        listing.next(this);
      } else {
        nextQueue();
      }
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  private void hold(DirectBuffer buffer, TaskDecoder task) {
    IdKey id =
        new IdKey(
            task.idHigh(), task.idLow(), text(buffer, task.idTextOffset(), task.idTextLength()));
    IdKey claimant =
        new IdKey(
            task.claimantHigh(),
            task.claimantLow(),
            text(buffer, task.claimantTextOffset(), task.claimantTextLength()));
    book.hold(claimant, id, queue, task.arrivalMs(), false, task.modifiedMs());
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    return length == 0 ? "" : buffer.getStringWithoutLengthUtf8(offset, length);
  }

  @Override
  public void onFailure(EntroQException failure) {
    done.completeExceptionally(failure);
  }
}
