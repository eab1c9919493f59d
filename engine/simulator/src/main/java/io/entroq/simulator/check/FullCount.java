package io.entroq.simulator.check;

import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ListDocsEncoder;
import io.entroq.codec.result.ListNamespacesEncoder;
import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.codec.result.ListTasksEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskPositionEncoder;
import io.entroq.engine.listing.QueueCounts;
import io.entroq.engine.listing.QueueCursor;
import io.entroq.engine.listing.TaskCursor;
import io.entroq.engine.result.PoliciesPage;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.task.TaskView;
import io.entroq.simulator.call.PagedRead;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.undo.Cells;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/** Lists the whole state of an engine and compares it with the account. */
final class FullCount {
  /** A slice of this many tasks or queues. */
  private static final int SLICE_EFFORT = 1_000;

  /** From then on nothing is counted in microseconds. */
  private static final long FAR_MS = Long.MAX_VALUE / 1_000_000;

  /** Questions for positions are answered in small slices, where queues are long. */
  private static final int POSITION_EFFORT = 50;

  /** Has one turn ask about a task far from that of the turn before. */
  private static final int TURN_FACTOR = 7_919;

  private final Account account;
  private final Cells cells;
  private final DocCount docs;
  private final PolicyRules policies;
  private final IntHashSet seen = new IntHashSet();
  private boolean capturesSlots;
  private long figuresMs;
  private int turn;
  private int next;

  FullCount(Account account) {
    this.account = account;
    this.cells = account.cells;
    this.docs = new DocCount(account);
    this.policies = new PolicyRules(account);
  }

  void check(StateMachine machine) {
    for (int name = 1; name <= account.names.count(); name++) {
      if (account.queues.find(name) != Cells.NONE) {
        listTasks(machine, name);
      }
    }
    listQueues(machine, account.nowMs);
    listQueues(machine, nearAnArrivalMs());
    requireCallersInOrder(machine);
    docs.check(machine);
    listPolicies(machine);
    positions(machine);
    requireEqual(Invariant.STATISTICS_COUNT, "tasks", account.tasks.size(), machine.taskCount());
    requireEqual(
        Invariant.STATISTICS_COUNT, "parked claims", account.waiters.size(), machine.parkedCount());
    requireEqual(
        Invariant.STATISTICS_COUNT, "clients", account.clients.size(), machine.clientCount());
    requireSum(machine.recomputeContentDigest(), machine.contentDigest());
  }

  static void requireSum(long recomputed, long kept) {
    requireEqual(Invariant.CONTENT_SUMS_UP, "content digest", recomputed, kept);
  }

  private static void requireEqual(Invariant invariant, String what, long expected, long actual) {
    if (expected != actual) {
      throw invariant.broken(what, expected, actual);
    }
  }

  // Queues.

  /**
   * In turn, the millisecond in which some task becomes available, or the one before or after. May
   * be later than the newest record.
   */
  private long nearAnArrivalMs() {
    turn++;
    for (int i = 0; i < account.names.count(); i++) {
      int queue = account.queues.find(1 + (turn + i) % account.names.count());
      int waiting = queue == Cells.NONE ? 0 : account.queues.waitingCount(queue);
      for (int place = 0; place < waiting; place++) {
        long arrivalMs = cells.get(account.queues.waitingAt(queue, place) + Tasks.ARRIVAL_MS);
        if (arrivalMs > account.nowMs && arrivalMs < Long.MAX_VALUE) {
          return arrivalMs + turn % 3 - 1;
        }
      }
    }
    return account.nowMs;
  }

  private void listQueues(StateMachine machine, long atMs) {
    figuresMs = atMs;
    ListQueuesDecoder all = new ListQueuesDecoder();
    all.wrap(new UnsafeBuffer(new byte[0]), 0, 0);
    QueueCursor cursor = new QueueCursor(all);
    seen.clear();
    while (machine.listQueues(cursor, atMs, SLICE_EFFORT, this::queue)) {
      // Slice by slice.
    }
    for (int name = 1; name <= account.names.count(); name++) {
      int queue = account.queues.find(name);
      boolean isThere = queue != Cells.NONE && cells.get(queue + Queues.TASKS) > 0;
      if (isThere != seen.contains(name)) {
        throw Invariant.LISTING_COMPLETE.broken(
            account.names.text(name), isThere ? "listed" : "not listed, as it is empty", !isThere);
      }
    }
  }

  private boolean queue(DirectBuffer name, int offset, int length, QueueCounts listed) {
    int number = account.names.number(name, offset, length);
    if (!seen.add(number)) {
      throw Invariant.LISTING_COMPLETE.broken(account.names.text(number), "listed once", "twice");
    }
    QueueCount count = QueueCount.of(account, account.queues.of(number), figuresMs);
    requireFigure(number, "tasks", count.tasks(), listed.tasks());
    requireFigure(number, "available", count.available(), listed.available());
    requireFigure(number, "claimed", count.claimed(), listed.claimed());
    requireFigure(number, "held", count.held(), listed.held());
    requireFigure(number, "future", count.future(), listed.future());
    requireFigure(number, "highest claims", count.claimsMax(), listed.claimsMax());
    requireFigure(number, "age of the oldest", count.oldestAgeMs(), listed.oldestAgeMs());
    requireRules(number, account.queues.of(number), count, listed);
    return true;
  }

  private void requireRules(int number, int queue, QueueCount count, QueueCounts listed) {
    long inFlight = account.hasPolicies() ? cells.get(queue + Queues.IN_FLIGHT) : 0;
    requireFigure(Invariant.IN_FLIGHT_COUNTED, number, "in flight", inFlight, listed.inFlight());
    requireFigure(number, "bytes", cells.get(queue + Queues.BYTES), listed.bytes());
    long pausedMs = account.queues.pauseEndMs(queue, figuresMs);
    requireFigure(number, "end of the pause", pausedMs, listed.pausedUntilMs());
    long opensMs = account.queues.opensAtMs(queue);
    requireFigure(number, "next start", opensMs > figuresMs ? opensMs : 0, listed.nextStartMs());
    long starts = account.queues.startsNow(queue, count.available(), figuresMs);
    if (figuresMs < FAR_MS) {
      requireFigure(number, "claimable", starts, listed.claimable());
    }
    requireFigure(number, "lapsed", cells.get(queue + Queues.LAPSED), listed.lapsed());
    requireFigure(number, "dead", cells.get(queue + Queues.DEAD), listed.dead());
  }

  private void requireFigure(int queue, String figure, long expected, long actual) {
    requireFigure(Invariant.STATISTICS_COUNT, queue, figure, expected, actual);
  }

  private void requireFigure(
      Invariant invariant, int queue, String figure, long expected, long actual) {
    if (expected != actual) {
      throw invariant.broken(
          account.names.text(queue), figure + " " + expected, figure + " " + actual);
    }
  }

  private void listPolicies(StateMachine machine) {
    PoliciesPage page = new PoliciesPage(new UnsafeBuffer(new byte[0]), 0, 0);
    ResultDecoder result = new ResultDecoder();
    seen.clear();
    while (true) {
      while (page.fill(machine, account.nowMs, SLICE_EFFORT)) {
        // Slice by slice.
      }
      result.wrap(page.buffer(), 0, page.length());
      for (int i = 0; i < result.policyCount(); i++) {
        int reported = account.answers.addListed(result, i);
        int policy = policies.expectListed(reported, account.nowMs);
        Invariant.POLICIES_AS_WRITTEN.require(
            seen.add(policy), "the listing of policies", "each once", "one twice");
      }
      if (page.isLast()) {
        break;
      }
      page.next();
    }
    Invariant.POLICIES_AS_WRITTEN.require(
        seen.size() == account.policies.size(),
        "the listing of policies",
        account.policies.size(),
        seen.size());
  }

  // Positions.

  /** Asks where some tasks of each queue stand, others each time. */
  void positions(StateMachine machine) {
    turn++;
    for (int name = 1; name <= account.names.count(); name++) {
      int queue = account.queues.find(name);
      if (queue != Cells.NONE) {
        positions(machine, queue);
      }
    }
  }

  private void positions(StateMachine machine, int queue) {
    int ready = cells.ref(queue + Queues.READY_COUNT);
    int waiting = account.queues.waitingCount(queue);
    int front = account.queues.front(queue);
    if (ready > 0) {
      position(machine, account.queues.readyAt(queue, Math.floorMod(turn * TURN_FACTOR, ready)));
      position(machine, account.queues.readyAt(queue, ready - 1));
    }
    if (waiting > 0) {
      position(machine, account.queues.waitingAt(queue, turn % waiting));
    }
    if (front != Cells.NONE) {
      position(machine, front);
    }
  }

  private void position(StateMachine machine, int task) {
    ExpandableArrayBuffer query = new ExpandableArrayBuffer();
    IdFields id = new IdFields().set(cells.get(task + Tasks.HIGH), cells.get(task + Tasks.LOW));
    int length = new TaskPositionEncoder().wrap(query, 0).id(id).length();
    Request request =
        new Request(0, Request.TASK_POSITION, new UnsafeBuffer(query, 0, length), null);
    ReadWatcher check = new PositionCheck(account, request.command(), 0, length);
    new PagedRead(request, check).readAll(machine, account.nowMs, POSITION_EFFORT);
  }

  // Callers.

  /** Clients with undelivered claims must be reported in the order of all clients. */
  private void requireCallersInOrder(StateMachine machine) {
    next = account.clients.first();
    machine.forEachClaiming(this::caller);
  }

  private void caller(long high, long low) {
    int caller = account.clients.find(high, low);
    while (next != Cells.NONE && next != caller) {
      next = account.clients.next(next);
    }
    if (next == Cells.NONE) {
      throw Invariant.CALLERS_IN_ORDER.broken(
          Tasks.name(high, low), "after all clients heard from earlier", "before one");
    }
  }

  // Tasks.

  private void listTasks(StateMachine machine, int name) {
    int queue = account.queues.find(name);
    seen.clear();
    if (cells.get(queue + Queues.TASKS) > 0) {
      ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
      ListTasksEncoder encoder = new ListTasksEncoder().wrap(buffer, 0);
      encoder.queue(new Slice(account.names.bytes(name)));
      ListTasksDecoder query = new ListTasksDecoder();
      query.wrap(buffer, 0, encoder.length());
      // Every other listing takes the path for long queues.
      capturesSlots = !capturesSlots;
      TaskCursor cursor = new TaskCursor(query, capturesSlots ? TaskCursor.CAPTURED_MAX : 0);
      while (machine.listTasks(cursor, account.nowMs, SLICE_EFFORT, this::task)) {
        // Slice by slice.
      }
    }
    if (seen.size() != cells.get(queue + Queues.TASKS)) {
      throw missing(queue);
    }
  }

  private boolean task(TaskView view) {
    int task = account.tasks.find(view.idHigh(), view.idLow());
    if (task == Cells.NONE) {
      throw Invariant.NO_PHANTOM.broken(
          Tasks.name(view.idHigh(), view.idLow()), "no such task", "listed");
    }
    int reported = account.answers.addListed(view);
    account.expectTask(Invariant.LISTING_COMPLETE, reported, task);
    if (!seen.add(task)) {
      throw Invariant.LISTING_COMPLETE.broken(account.tasks.name(task), "listed once", "twice");
    }
    return true;
  }

  private RuntimeException missing(int queue) {
    for (int place = 0; place < account.tasks.places(); place++) {
      int task = account.tasks.at(place);
      if (task != Cells.NONE && cells.ref(task + Tasks.QUEUE) == queue && !seen.contains(task)) {
        return Invariant.ACKNOWLEDGED_STAYS.broken(
            account.tasks.name(task), "listed in " + account.queueName(queue), "not listed");
      }
    }
    return Invariant.LISTING_COMPLETE.broken(
        account.queueName(queue), cells.get(queue + Queues.TASKS) + " tasks", seen.size());
  }

  /**
   * The statistics of a queue, counted from the account.
   *
   * @param available tasks whose arrival time has passed
   * @param claimed waiting tasks that were claimed before
   * @param held waiting tasks with a claimant
   * @param claimsMax the most claims of any task
   * @param oldestAgeMs how long the available task with the earliest arrival has been due
   */
  private record QueueCount(
      long tasks, long available, long claimed, long held, long claimsMax, long oldestAgeMs) {

    /** The statistics at a time that is not before the newest record. */
    static QueueCount of(Account account, int queue, long nowMs) {
      Cells cells = account.cells;
      int ready = cells.ref(queue + Queues.READY_COUNT);
      int waiting = account.queues.waitingCount(queue);
      long available = 0;
      long claimed = 0;
      long held = 0;
      long claimsMax = 0;
      long oldestAgeMs = 0;
      for (int i = 0; i < ready + waiting; i++) {
        int task =
            i < ready
                ? account.queues.readyAt(queue, i)
                : account.queues.waitingAt(queue, i - ready);
        long claims = cells.get(task + Tasks.CLAIMS);
        claimsMax = Math.max(claimsMax, claims);
        if (cells.get(task + Tasks.ARRIVAL_MS) <= nowMs) {
          available++;
          long ageMs = nowMs - cells.get(task + Tasks.ARRIVAL_MS);
          oldestAgeMs = Math.max(oldestAgeMs, ageMs < 0 ? Long.MAX_VALUE : ageMs);
        } else {
          claimed += claims > 0 ? 1 : 0;
          held += isHeld(cells, task) ? 1 : 0;
        }
      }
      return new QueueCount(
          (long) ready + waiting, available, claimed, held, claimsMax, oldestAgeMs);
    }

    private static boolean isHeld(Cells cells, int task) {
      return (cells.get(task + Tasks.CLAIMANT_HIGH) | cells.get(task + Tasks.CLAIMANT_LOW)) != 0;
    }

    /** Waiting tasks that were never claimed. */
    long future() {
      return tasks - available - claimed;
    }
  }

  /** Lists all docs of an engine and compares them with the account. */
  private static final class DocCount {
    private final Account account;
    private final ExpandableArrayBuffer query = new ExpandableArrayBuffer();
    private final ListDocsEncoder listDocs = new ListDocsEncoder();
    private final ListNamespacesEncoder listNamespaces = new ListNamespacesEncoder();

    DocCount(Account account) {
      this.account = account;
    }

    void check(StateMachine machine) {
      long docs = account.docs.size();
      Invariant.NAMESPACES_COUNT.require(
          machine.docCount() == docs, "docs", docs, machine.docCount());
      countNamespaces(machine);
      for (int namespace : account.docs.namespaces()) {
        list(machine, namespace);
      }
    }

    private void countNamespaces(StateMachine machine) {
      int length = listNamespaces.wrap(query, 0).length();
      ReadWatcher listing = new NamespaceListing(account, query, 0, length);
      read(machine, Request.LIST_NAMESPACES, length, listing);
    }

    private void list(StateMachine machine, int namespace) {
      listDocs.wrap(query, 0).namespace(new Slice(account.texts.bytes(namespace)));
      int length = listDocs.length();
      read(machine, Request.LIST_DOCS, length, new DocListing(account, query, 0, length));
    }

    private void read(StateMachine machine, int type, int length, ReadWatcher listing) {
      Request request = new Request(0, type, new UnsafeBuffer(query, 0, length), null);
      new PagedRead(request, listing).readAll(machine, account.nowMs, SLICE_EFFORT);
    }
  }
}
