package io.entroq.service.queue;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Listing;
import io.entroq.engine.gateway.Submission;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.TaskReader;

/**
 * A listing that is sent task by task, as fast as its reader reads. At most one page is in memory,
 * besides what the transport holds.
 *
 * <p>Synchronized: pages come on one thread, and the transport reports room on another.
 */
final class TaskStream implements Call, Completion {
  private final Facade facade;
  private final boolean showsRaw;
  private final Listing listing;
  private final Reply<TasksResponse> reply;
  private Submission submission;
  private ResultDecoder page;
  private int sent;
  private boolean isSending;
  private boolean isOver;

  /**
   * @param showsRaw whether byte values are shown as such
   */
  TaskStream(Facade facade, boolean showsRaw, Listing listing, Reply<TasksResponse> reply) {
    this.facade = facade;
    this.showsRaw = showsRaw;
    this.listing = listing;
    this.reply = reply;
  }

  synchronized TaskStream start() {
    submission = listing.next(this);
    return this;
  }

  @Override
  public synchronized void onResult(ResultDecoder result) {
    page = result;
    sent = 0;
    if (listing.isComplete()) {
      // Most listings need less than the page that was reserved.
      reply.holds(result.encodedLength());
    }
    send();
  }

  @Override
  public synchronized void onFailure(EntroQException failure) {
    end(Refusal.of(failure));
  }

  /** If the reader says so while it gets a task, the loop that sends it asks again. */
  @Override
  public synchronized void ready() {
    if (page != null && !isSending) {
      send();
    }
  }

  @Override
  public synchronized void cancel() {
    isOver = true;
    if (submission != null) {
      submission.cancel();
    }
  }

  private void send() {
    isSending = true;
    try {
      TaskReader reader = new TaskReader(facade, page, showsRaw);
      while (!isOver && sent < page.taskCount() && reply.isReady()) {
        reply.send(TasksResponse.newBuilder().addTasks(reader.whole(page.task(sent++))).build());
      }
      if (!isOver && sent == page.taskCount()) {
        nextPage();
      }
    } catch (RuntimeException e) {
      end(ResultReply.refusal(e));
    } finally {
      isSending = false;
    }
  }

  private void nextPage() {
    reply.position(page.sequence());
    page = null;
    if (listing.isComplete()) {
      isOver = true;
      reply.complete();
    } else {
      submission = listing.next(this);
    }
  }

  private void end(Refusal refusal) {
    if (!isOver) {
      isOver = true;
      reply.fail(refusal);
    }
  }
}
