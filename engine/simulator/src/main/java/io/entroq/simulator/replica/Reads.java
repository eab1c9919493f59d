package io.entroq.simulator.replica;

import io.entroq.engine.page.TasksPage;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.PagedRead;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import io.entroq.simulator.check.Ledger;
import java.util.ArrayDeque;
import java.util.Queue;
import org.agrona.DirectBuffer;

/**
 * Listings that callers of a member wait for: each shows what the log had got when it was asked
 * for, so that a caller who has moved to another member finds what he has written. One thread.
 */
final class Reads {
  private final Ledger ledger;
  private final Queue<Read> waiting = new ArrayDeque<>();

  private record Read(long from, Request request, ReplyEnd end) {}

  /**
   * @param ledger knows what a member shows that has applied all that it knows
   */
  Reads(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * @param from the newest entry that it has to show
   */
  void add(long from, Request request, ReplyEnd end) {
    waiting.add(new Read(from, request, end));
  }

  /** Answers those that a state is new enough for. */
  void answer(StateMachine machine) {
    while (!waiting.isEmpty() && waiting.peek().from <= machine.sequence()) {
      Read read = waiting.poll();
      read.end.reply(read.request, answer(machine, read.request));
    }
  }

  private Reply answer(StateMachine machine, Request request) {
    if (request.type() == Request.LIST_TASKS) {
      return list(machine, request.command());
    }
    return new PagedRead(request, watcher(machine, request)).readAll(machine, machine.logTimeMs());
  }

  private ReadWatcher watcher(StateMachine machine, Request request) {
    DirectBuffer query = request.command();
    if (machine.sequence() != ledger.sequence()) {
      return ReadWatcher.NONE;
    }
    return request.type() == Request.LIST_DOCS
        ? ledger.listDocs(query, 0, query.capacity())
        : ledger.listNamespaces(query, 0, query.capacity());
  }

  /** By their ids, of which there are no more than a page holds. */
  private static Reply list(StateMachine machine, DirectBuffer query) {
    TasksPage page = new TasksPage(query, 0, query.capacity());
    page.fill(machine, machine.logTimeMs(), Integer.MAX_VALUE);
    return Reply.of(page.buffer(), 0, page.length());
  }
}
