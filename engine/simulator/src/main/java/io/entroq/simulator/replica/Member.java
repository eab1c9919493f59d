package io.entroq.simulator.replica;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Ending;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.disk.SimulatedDeath;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import org.agrona.DirectBuffer;

/**
 * A member of a cluster over all its lives: proposes for the callers that it holds, applies the log
 * in order, answers from what it has applied itself, and writes snapshots with which its next life
 * begins. One thread.
 */
final class Member {
  private static final Reply EXHAUSTED = new Reply(Ending.EXHAUSTED, null);
  private static final long MICROSECOND = 1_000;
  private static final long SECOND = 1_000_000_000;
  private static final long DELAY_NS_LEAST = 20 * MICROSECOND;
  private static final long DELAY_NS_MOST = 3_000 * MICROSECOND;
  private static final long RETRY_NS = 2 * SECOND;
  private static final long SNAPSHOT_NS_LEAST = 20 * SECOND;
  private static final long SNAPSHOT_NS_MOST = 200 * SECOND;
  private static final int SLOWNESS = 200;
  private static final int BATCH = 1_000;
  private static final int OPEN_MAX = 10_000;

  private final String name;
  private final int number;
  private final Agenda agenda;
  private final Chance chance;
  private final Faults faults;
  private final OrderedLog log;
  private final LogReader reader;
  private final Ledger ledger;
  private final Trace trace;
  private final DownListener listener;
  private final MemberDisk disk = new MemberDisk();
  private final HostClock clock;
  private final ClaimDecoder claim = new ClaimDecoder();
  private final ModifyDecoder modify = new ModifyDecoder();
  private final ClaimDocsDecoder claimDocs = new ClaimDocsDecoder();

  /** This life; null while it is down, and the others with it. */
  private Session session;

  private StateMachine machine;
  private Callers callers;
  private Reads reads;
  private MemberAnswers answers;

  /** The record of the snapshot that it began its life with; 0: none. */
  private long base;

  private long proposals;
  private boolean isReading;
  private boolean isSlow;
  private long restsUntilNs;

  /** Hears that a member has died, whatever of. */
  @FunctionalInterface
  interface DownListener {
    void onDown(Member member, Session ended);
  }

  Member(
      int number,
      Agenda agenda,
      Chance chance,
      Faults faults,
      OrderedLog log,
      LogReader reader,
      Ledger ledger,
      Trace trace,
      DownListener listener) {
    this.name = "member " + number;
    this.number = number;
    this.agenda = agenda;
    this.chance = chance;
    this.faults = faults;
    this.log = log;
    this.reader = reader;
    this.ledger = ledger;
    this.trace = trace;
    this.listener = listener;
    this.clock = new HostClock(agenda);
  }

  MemberDisk disk() {
    return disk;
  }

  HostClock clock() {
    return clock;
  }

  /** This life; null while it is down. */
  Session session() {
    return session;
  }

  boolean isUp() {
    return session != null;
  }

  /** The state; null while it is down. */
  StateMachine machine() {
    return machine;
  }

  /** The record of the snapshot that it began its life with; 0 if with none. */
  long base() {
    return base;
  }

  /** Whether it has applied everything that has a place. */
  boolean isCurrent() {
    return isUp() && machine.sequence() == log.last();
  }

  // Lives.

  /**
   * Begins a life with a snapshot, or with nothing where the log has everything.
   *
   * @param passedOver how many of the newest snapshots are left out if there are older ones
   * @return false if there is nothing to begin with
   */
  boolean start(int passedOver) {
    disk.open();
    StateMachine loaded = disk.load(passedOver);
    if (loaded == null && log.first() > 1) {
      disk.die();
      return false;
    }
    if (loaded != null) {
      requireKnown(loaded);
    }
    machine = loaded == null ? new StateMachine(StateMachineConfig.DEFAULT) : loaded;
    base = machine.sequence();
    trace.add(number + base);
    session = new Session(this);
    callers = new Callers();
    reads = new Reads(ledger);
    answers = new MemberAnswers(ledger, callers);
    isReading = false;
    isSlow = false;
    restsUntilNs = agenda.nowNs();
    readSoon();
    repeat(RETRY_NS, RETRY_NS, this::proposeAgain);
    repeat(SNAPSHOT_NS_LEAST, SNAPSHOT_NS_MOST, this::writeSnapshot);
    return true;
  }

  /** A snapshot is what the log has led to. */
  private void requireKnown(StateMachine loaded) {
    long sequence = loaded.sequence();
    Invariant.REPLICAS_AGREE.require(
        sequence >= log.first() && sequence <= log.last(),
        "@" + sequence,
        "a snapshot from @" + log.first() + " to @" + log.last(),
        name);
    log.get(sequence).requireState(name, loaded.historyDigest(), loaded.contentDigest());
  }

  private void repeat(long leastNs, long mostNs, Agenda.Event event) {
    Session life = session;
    agenda.in(
        chance.between(leastNs, mostNs),
        () -> {
          if (session == life) {
            happen(event);
          }
          if (session == life) {
            repeat(leastNs, mostNs, event);
          }
        });
  }

  /** Has something happen in this life: now, or once it rests no longer. */
  private void happen(Agenda.Event event) {
    if (agenda.nowNs() >= restsUntilNs) {
      event.happen();
      return;
    }
    Session life = session;
    agenda.at(
        restsUntilNs,
        () -> {
          if (session == life) {
            happen(event);
          }
        });
  }

  /** Its process dies; only while it is up. */
  void die() {
    Session ended = session;
    session = null;
    callers = null;
    reads = null;
    machine.close();
    machine = null;
    disk.die();
    listener.onDown(this, ended);
  }

  /** Gives back the memory; for the end of a world. */
  void switchOff() {
    if (isUp()) {
      session = null;
      machine.close();
      machine = null;
    }
  }

  /** It does nothing for a while; what comes meanwhile happens then, in its order. */
  void rest(long forNs) {
    restsUntilNs = Math.max(restsUntilNs, agenda.nowNs() + forNs);
  }

  /** It takes much longer to hear of what the log has got, or as long as it should. */
  void slow(boolean slow) {
    isSlow = slow;
  }

  // Callers.

  /** A caller that it holds asks for something. */
  void take(Request request, ReplyEnd end) {
    happen(() -> takeAwake(request, end));
  }

  private void takeAwake(Request request, ReplyEnd end) {
    if (request.isRead()) {
      reads.add(log.last(), request, end);
      reads.answer(machine);
    } else {
      propose(request, end);
    }
  }

  private void propose(Request request, ReplyEnd end) {
    if (callers.openCount() >= OPEN_MAX) {
      end.reply(request, EXHAUSTED);
      return;
    }
    boolean isAnswered = request.type() != RecordType.ACKNOWLEDGE;
    boolean isRepeatable = isRepeatable(request.type(), request.command());
    Entry entry =
        new Entry(
            request.type(), request.command(), session, isAnswered ? ++proposals : 0, isRepeatable);
    if (isAnswered) {
      callers.add(entry, request, end, agenda.nowNs());
    }
    log.propose(entry);
  }

  /** Whether whoever applies it knows it again; whose it is is remembered. */
  private boolean isRepeatable(int type, DirectBuffer command) {
    int length = command.capacity();
    switch (type) {
      case RecordType.CLAIM -> {
        claim.wrap(command, 0, length);
        if (claim.hasIdentity()) {
          session.serves(claim.clientHigh(), claim.clientLow());
        }
        return claim.hasIdentity();
      }
      case RecordType.MODIFY -> {
        modify.wrap(command, 0, length);
        if (modify.hasIdentity()) {
          session.serves(modify.clientHigh(), modify.clientLow());
        }
        return modify.hasIdentity();
      }
      case RecordType.CLAIM_DOCS -> {
        claimDocs.wrap(command, 0, length);
        if (claimDocs.hasIdentity()) {
          session.serves(claimDocs.clientHigh(), claimDocs.clientLow());
        }
        return claimDocs.hasIdentity();
      }
      default -> {
        return true;
      }
    }
  }

  private void proposeAgain() {
    long nowNs = agenda.nowNs();
    callers.proposeAgain(log, nowNs - RETRY_NS, nowNs);
  }

  // The log.

  /** The log may have something new; does nothing while it is down. */
  void readSoon() {
    if (isUp() && !isReading && !isCurrent()) {
      isReading = true;
      Session life = session;
      long delayNs = chance.between(DELAY_NS_LEAST, DELAY_NS_MOST) * (isSlow ? SLOWNESS : 1);
      agenda.in(
          delayNs,
          () -> {
            if (session == life) {
              happen(this::read);
            }
          });
    }
  }

  private void read() {
    isReading = false;
    for (int i = 0; i < BATCH && !isCurrent(); i++) {
      apply(log.get(machine.sequence() + 1));
    }
    reads.answer(machine);
    readSoon();
  }

  private void apply(Entry entry) {
    long sequence = entry.sequence();
    boolean isFirst = !entry.isKnown();
    Entry read = reader.read(log, number, sequence);
    DirectBuffer command = read.command;
    int length = command.capacity();
    if (isFirst) {
      ledger.onRecord(sequence, entry.timeMs(), entry.type, entry.command, 0, length);
    }
    answers.begin(entry, isFirst, entry.session == session && entry.proposal != 0);
    machine.apply(read.type, command, 0, length, read.crc, entry.timeMs(), sequence, answers);
    long history = machine.historyDigest();
    long content = machine.contentDigest();
    if (isFirst) {
      entry.became(history, content, answers.hash());
      ledger.onStepEnd(sequence, history, content);
      trace.add(content);
      if (sequence == 1) {
        ledger.onOpened(machine);
      }
    } else {
      entry.requireSame(name, history, content, answers.hash());
    }
  }

  /**
   * Everything that was in the log by some time has been applied, if it has been up since and has
   * not rested.
   */
  void requireCurrent(long byNs) {
    if (isUp() && !isCurrent() && restsUntilNs <= byNs) {
      long next = machine.sequence() + 1;
      Invariant.REPLICAS_CATCH_UP.require(
          log.get(next).committedNs() > byNs,
          "@" + next,
          "applied by " + name + " a while after it has come into the log",
          "not yet");
    }
  }

  /** Whether another member can begin with its newest snapshot, which is made anew if damaged. */
  boolean hasSnapshotToGive() {
    if (isUp() && !disk.hasGood()) {
      writeSnapshot();
    }
    return isUp() && disk.hasGood();
  }

  private void writeSnapshot() {
    if (machine.sequence() == 0) {
      return;
    }
    try {
      disk.write(machine);
    } catch (SimulatedDeath e) {
      faults.count(FaultKind.ENGINE_DIES_AT_DISK);
      die();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
