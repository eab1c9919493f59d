package io.entroq.simulator.client.worker;

import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Processes that run the decisions of real workers, an inserter of tasks, and processes that check
 * and delete the results. They throw a {@link io.entroq.simulator.check.Violation} from the event
 * in which one of them finds it. One thread.
 */
public final class Workers {
  private static final long SECOND = 1_000_000_000L;
  private static final long CHECK_NS = 5 * SECOND;
  private static final long TROUBLE_NS = 40 * SECOND;
  private static final long REST_NS_MAX = 10 * SECOND;
  private static final long STEP_NS_MAX = 300 * SECOND;
  private static final long END_NS_MAX = 1_200 * SECOND;
  private static final int[] LEASE_MS = {3_000, 6_000, 10_000};
  private static final long LEASE_NS_MOST = 10_000_000_000L;

  private final WorkerContext context;
  private final SeededRandom random;
  private final WorkInserter inserter;
  private final List<ProcessSlot> processSlots = new ArrayList<>();
  private final int nextClient;
  private boolean isStopped;
  private boolean isClosed;

  /**
   * Workers that have not started.
   *
   * @param network sends a request and returns the number of copies in flight
   * @param trace records every request and every result
   * @param newestMs log time of the newest record, used only by checks
   */
  public Workers(
      WorkersConfig config,
      EventQueue events,
      SeededRandom random,
      Faults faults,
      ToIntFunction<Request> network,
      Trace trace,
      LongSupplier newestMs) {
    this.context = new WorkerContext(config, events, faults, network, trace, newestMs);
    this.random = random.fork("trouble");
    int client = config.firstClient();
    inserter = new WorkInserter(context, random.fork("producer"), client);
    for (int i = 0; i < config.processes() + config.disposers(); i++) {
      client++;
      processSlots.add(new ProcessSlot(random.fork("post", i), client, i < config.processes()));
    }
    nextClient = client + 1;
  }

  public void start() {
    inserter.start();
    processSlots.forEach(ProcessSlot::fill);
    context.events.in(CHECK_NS, this::check);
    context.events.in(random.waitNs(TROUBLE_NS), this::trouble);
  }

  /** No more tasks are inserted and no process dies; open work ends. */
  public void stop() {
    isStopped = true;
    inserter.stop();
  }

  /** Closes every process and starts no other; some time after {@link #stop}. */
  public void close() {
    isClosed = true;
    processSlots.forEach(slot -> slot.process.close());
  }

  /** Fails if a process still runs or a task is left; some time after {@link #close}. */
  public void requireAtRest() {
    context.invariants.requireEnds(Long.MAX_VALUE);
    requireNone("tasks for workers", context.invariants.open());
    for (ProcessSlot slot : processSlots) {
      requireNone(slot.process, slot.process.life().isOver() ? 0 : 1);
    }
  }

  private static void requireNone(Object subject, int left) {
    if (left > 0) {
      throw Invariant.ALL_ANSWERED.broken(subject, "an end of all", left + " left");
    }
  }

  /** A final task, from another client. */
  public FinalTask lastTask() {
    return new FinalTask(context, random.fork("last"), nextClient);
  }

  /** The check of the docs that count work, from another client. */
  public Audit audit() {
    return new Audit(context, random.fork("audit"), nextClient + 1);
  }

  /**
   * An engine was opened after another one: claims without acknowledged replies were given back.
   */
  public void onEngineOpened() {
    context.troubled();
  }

  /** Log time has jumped ahead of real time. */
  public void onTimeLeap() {
    context.troubled();
  }

  /**
   * Answered requests are lost, as the durability permits, so the workers' knowledge no longer
   * holds.
   */
  public void onLoss() {
    context.lost(LEASE_NS_MOST);
  }

  /** The number of requests, including resends. */
  public long requests() {
    return context.requests();
  }

  /** The number of Modifies that the workers know to be done. */
  public long commits() {
    return context.commits();
  }

  /** The number of open tasks, as far as known. */
  public int openTasks() {
    return context.invariants.open();
  }

  private void check() {
    context.passed(CHECK_NS);
    context.invariants.requireEnds(context.healthyNs() - END_NS_MAX);
    long sinceNs = context.events.nowNs() - STEP_NS_MAX;
    processSlots.forEach(slot -> slot.process.requireAlive(sinceNs));
    context.events.in(CHECK_NS, this::check);
  }

  private void trouble() {
    if (isStopped) {
      return;
    }
    processSlots.get(random.below(processSlots.size())).injectFault(random.below(3));
    context.events.in(random.waitNs(TROUBLE_NS), this::trouble);
  }

  /** Runs one process after another. */
  private final class ProcessSlot {
    private final SeededRandom own;
    private final SeededRandom stalls;
    private final int client;
    private final boolean doesWork;
    private final Duration lease;
    private WorkerProcess process;

    ProcessSlot(SeededRandom own, int client, boolean doesWork) {
      this.own = own;
      this.stalls = own.fork(FaultKind.WORKER_STALLED.label());
      this.client = client;
      this.doesWork = doesWork;
      this.lease = Duration.ofMillis(LEASE_MS[own.below(LEASE_MS.length)]);
    }

    void fill() {
      if (isClosed) {
        return;
      }
      Handling handling =
          doesWork
              ? new WorkExecution(context, own, lease.toNanos(), this::stall)
              : new TaskDisposal(context.invariants, own);
      List<String> queues = doesWork ? WorkQueues.OPEN : WorkQueues.FINISHED;
      process = new WorkerProcess(context, own, client, queues, lease, handling, this::refill);
      process.start();
    }

    private void refill() {
      context.events.in(own.between(1, REST_NS_MAX), this::fill);
    }

    void injectFault(int what) {
      switch (what) {
        case 0 -> process.close();
        case 1 -> die();
        default -> stall();
      }
    }

    private void die() {
      if (context.faults.isOn(FaultKind.WORKER_DIES) && process.die()) {
        context.faults.count(FaultKind.WORKER_DIES);
      }
    }

    private void stall() {
      if (context.faults.isOn(FaultKind.WORKER_STALLED) && !process.life().isOver()) {
        context.faults.count(FaultKind.WORKER_STALLED);
        process.life().stall(stalls.between(lease.toNanos(), 3 * lease.toNanos()));
      }
    }
  }
}
