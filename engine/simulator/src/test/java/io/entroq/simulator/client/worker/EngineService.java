package io.entroq.simulator.client.worker;

import io.entroq.codec.wire.log.Result;
import io.entroq.engine.result.TasksPage;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.client.MachineService;
import io.entroq.simulator.virtual.EventQueue;
import org.agrona.concurrent.UnsafeBuffer;

/** The real state machine, which also lists tasks, and fails on demand. */
final class EngineService implements Service {
  static final long START_MS = 1_767_225_600_000L;

  private final MachineService machine;
  private Reply instead;
  private boolean isSilent;

  EngineService(EventQueue events, long seed) {
    machine = new MachineService(events, START_MS, seed);
  }

  /** Refuses everything like this; null ends that. */
  void refuse(Reply.Status how) {
    instead = how == null ? null : new Reply(how, null);
  }

  /** Answers everything like this. */
  void answer(Result result) {
    instead = new Reply(Reply.Status.RESULT, new UnsafeBuffer(result.toByteArray()));
  }

  /** Answers nothing more. */
  void silence() {
    isSilent = true;
  }

  /** Continues as a newly opened engine. */
  void reopen() {
    machine.reopen();
  }

  long taskCount() {
    return machine.machine().taskCount();
  }

  long docCount() {
    return machine.machine().docCount();
  }

  @Override
  public void onRequest(Request request, ReplyEnd replies) {
    if (isSilent) {
      return;
    }
    if (instead != null) {
      replies.reply(request, instead);
    } else if (request.type() == Request.LIST_TASKS) {
      replies.reply(request, new Reply(Reply.Status.RESULT, list(request)));
    } else {
      machine.onRequest(request, replies);
    }
  }

  private UnsafeBuffer list(Request request) {
    TasksPage page = new TasksPage(request.command(), 0, request.command().capacity());
    long nowMs = machine.machine().logTimeMs();
    boolean isFull = page.fill(machine.machine(), nowMs, Integer.MAX_VALUE);
    if (isFull) {
      throw new IllegalStateException("the listing is longer than a page");
    }
    byte[] bytes = new byte[page.length()];
    page.buffer().getBytes(0, bytes);
    return new UnsafeBuffer(bytes);
  }
}
