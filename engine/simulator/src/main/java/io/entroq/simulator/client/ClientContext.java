package io.entroq.simulator.client;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.call.LogTime;
import io.entroq.simulator.client.knowledge.BacklogTarget;
import io.entroq.simulator.client.knowledge.ClientCounters;
import io.entroq.simulator.client.knowledge.DocCatalog;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.NumberedTexts;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.client.knowledge.TaskIds;
import io.entroq.simulator.client.knowledge.TaskSightings;
import io.entroq.simulator.client.knowledge.Values;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import org.agrona.collections.LongHashSet;

/** The shared state of the clients of one world. */
final class ClientContext {
  /** How long after a loss late messages may still show lost data. */
  private static final long QUIET_NS = 120_000_000_000L;

  /** Long enough for all scheduled tasks to become available. */
  private static final long DRAINING_NS_MIN = (Producer.LATER_MS_MAX + 30_000) * 1_000_000;

  private static final long NEVER = -1;

  final PopulationConfig config;
  final EventQueue events;
  final Faults faults;
  final Network network;
  final Trace trace;
  final BacklogTarget target;
  final ClientCounters counters = new ClientCounters();
  final NumberedTexts queues = QueueNames.all();
  final Values values = new Values();
  final TaskSightings sightings = new TaskSightings();
  final ResultDecoder result = new ResultDecoder();
  final LogTime logTime;
  final Timeouts timeouts;
  final TaskIds ids;
  final AnswerChecks checks;
  final RequestDraft draft;
  final TaskContents contents;
  final ClaimTerms terms = new ClaimTerms();
  final DocCatalog catalog = new DocCatalog();
  final DocRequestDraft docDraft = new DocRequestDraft(catalog, queues);
  final DocContents docContents;
  final DocChecks docChecks = new DocChecks(this);

  /** The tasks that somebody was to take back, by {@link #write}. */
  private final LongHashSet takenBack = new LongHashSet();

  private long serials;
  private long writes;
  private long lossNs = NEVER;
  private long openedNs = NEVER;

  ClientContext(
      PopulationConfig config,
      EventQueue events,
      SeededRandom random,
      Faults faults,
      Network network,
      Trace trace) {
    this.config = config;
    this.events = events;
    this.faults = faults;
    this.network = network;
    this.trace = trace;
    logTime = new LogTime(events, config.startMs());
    timeouts = new Timeouts(events);
    target = new BacklogTarget(events, random.fork("tide"), config.openTasksMax(), DRAINING_NS_MIN);
    ids = new TaskIds(random.fork("ids"));
    checks = new AnswerChecks(this);
    draft = new RequestDraft(this);
    contents = new TaskContents(this);
    docContents = new DocContents(this, random.fork("ids of docs"));
  }

  long nextSerial() {
    return ++serials;
  }

  long nextWrite() {
    return ++writes;
  }

  /** A commit was executed: the tasks that it deletes are gone. */
  void noteDeleted(Call commit) {
    if (commit.deletes == 0 || isQuiet()) {
      return;
    }
    for (KnownTask task : commit.tasks) {
      sightings.deleted(task);
    }
  }

  /** Somebody is about to take back a task at this version. */
  void takesBack(KnownTask task) {
    takenBack.add(write(task));
  }

  /** Whether somebody may have taken back a task at this version. */
  boolean mayBeTakenBack(KnownTask task) {
    return takenBack.contains(write(task));
  }

  private static long write(KnownTask task) {
    return AnswerChecks.addWritten(AnswerChecks.NO_TASKS, task.idHigh, task.idLow, task.version);
  }

  /** The engine has lost something, as it may. */
  void lost() {
    lossNs = events.nowNs();
    sightings.clear();
    catalog.clear();
    logTime.lost();
  }

  /** An engine was opened and has given undelivered claims back. */
  void opened() {
    openedNs = events.nowNs();
  }

  /** Whether anything was ever lost. */
  boolean hasLost() {
    return lossNs != NEVER;
  }

  /** Whether a loss is so recent that answers may contradict each other. */
  boolean isQuiet() {
    return lossNs != NEVER && events.nowNs() < lossNs + QUIET_NS;
  }

  /** Whether data from that time may have been lost since. */
  boolean mayBeLost(long sinceNs) {
    return lossNs != NEVER && sinceNs <= lossNs;
  }

  /** Whether a claim that was sent at that time may have been given back since. */
  boolean mayBeGivenBack(long sinceNs) {
    return openedNs != NEVER && sinceNs <= openedNs;
  }
}
