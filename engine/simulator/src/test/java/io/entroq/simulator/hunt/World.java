package io.entroq.simulator.hunt;

import com.google.protobuf.Message;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.model.ModelView;
import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.model.StepAnswers;
import io.entroq.simulator.workload.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The engine, the model and the log of one hunt, always at the same position. */
public final class World {
  private static final int CHECK_INTERVAL_MIN = 250;

  /** A flood of as many tasks as all commands of a hunt insert is served by fewer ticks. */
  private static final int TICKS_MAX = 1_000;

  private final Feeding feeding;
  private final Distortion distortion;
  private final ReferenceModel model;
  private final List<LoggedRecord> log = new ArrayList<>();
  private final List<long[]> digests = new ArrayList<>();
  private EngineUnderTest engine = new EngineUnderTest(Shapes.of(0));
  private int actions;
  private int nextCheck = CHECK_INTERVAL_MIN;

  /**
   * A world with an empty queue.
   *
   * @param model a new model
   * @param beginning its first record
   * @param feeding how commands reach the engine
   * @param distortion what the model is told
   */
  public World(ReferenceModel model, Beginning beginning, Feeding feeding, Distortion distortion) {
    this.model = model;
    this.feeding = feeding;
    this.distortion = distortion;
    execute(beginning.genesis(), beginning.startMs(), false);
  }

  /** What the model knows. */
  public ModelView view() {
    return model.view();
  }

  /** The records so far. */
  public List<LoggedRecord> log() {
    return Collections.unmodifiableList(log);
  }

  /** Does it, and checks all that can be seen of it. Throws {@link Violation}. */
  public void perform(Action action) {
    try {
      if (action instanceof Action.Command command) {
        execute(command);
      } else if (action instanceof Action.Read read) {
        look(read.query(), read.timeMs());
      } else if (action instanceof Action.Noise noise) {
        ignore(noise);
      } else if (action instanceof Action.Restart restart) {
        restart(restart.shape());
      }
      if (++actions >= nextCheck) {
        checkEverything();
        nextCheck = actions + Math.max(CHECK_INTERVAL_MIN, actions / 20);
      }
    } catch (Violation violation) {
      throw violation;
    } catch (RuntimeException | AssertionError e) {
      throw broken(e);
    }
  }

  private static Violation broken(Throwable cause) {
    Violation violation =
        new Violation(
            "the engine does not break down: " + cause.getClass().getSimpleName(),
            "@",
            "no exception",
            cause);
    violation.initCause(cause);
    return violation;
  }

  // Commands.

  private void execute(Action.Command command) {
    if (feeding == Feeding.LOGGED) {
      execute(command.payload(), command.timeMs(), false);
      return;
    }
    tickUntilNothingIsDue(command.timeMs());
    LoggedRecord entry = next(command.payload(), command.timeMs());
    boolean isLogged = engine.prepare(entry);
    Violation.checkEqual(
        "what changes nothing and has no identity needs no record",
        "@" + entry.sequence(),
        model.needsRecord(command.payload(), command.timeMs()),
        isLogged);
    if (isLogged) {
      execute(command.payload(), command.timeMs(), true);
    } else {
      StepAnswers answers = distortion.distort(command.payload(), engine.answer());
      model.answered(command.payload(), command.timeMs(), answers);
    }
  }

  private void tickUntilNothingIsDue(long nowMs) {
    int ticks = 0;
    while (machine().nextDeadlineMs() <= nowMs) {
      Violation.check(ticks++ < TICKS_MAX, "ticks come to an end", "@", TICKS_MAX, ticks);
      execute(Tick.getDefaultInstance(), nowMs, false);
    }
  }

  private void execute(Message command, long timeMs, boolean isPrepared) {
    LoggedRecord entry = next(command, timeMs);
    StepAnswers answers = isPrepared ? engine.commit(entry) : engine.apply(entry);
    log.add(entry);
    digests.add(digests(engine));
    model.apply(command, entry.sequence(), timeMs, distortion.distort(command, answers));
    Violation.checkEqual("sequence of the state", "@", entry.sequence(), machine().sequence());
    Violation.checkEqual("log time of the state", "@", timeMs, machine().logTimeMs());
    Violation.checkEqual("level of the state", "@", view().level(), machine().level());
    model.checkNextDeadline(machine().nextDeadlineMs());
  }

  private LoggedRecord next(Message command, long timeMs) {
    return LoggedRecord.of(command, timeMs, log.size() + 1L);
  }

  /** Looking at a message changes nothing. */
  private void ignore(Action.Noise noise) {
    long[] before = digests(engine);
    long deadlineMs = machine().nextDeadlineMs();
    byte[] bytes = noise.bytes().toByteArray();
    engine.look(LoggedRecord.of(noise.meant(), bytes, noise.timeMs(), log.size() + 1L));
    String rule = "what is not logged changes nothing";
    Violation.check(Arrays.equals(before, digests(engine)), rule, "@", before, digests(engine));
    Violation.checkEqual(rule, "@", deadlineMs, machine().nextDeadlineMs());
  }

  // Reads.

  private void look(Message query, long nowMs) {
    if (query instanceof ListTasks tasks) {
      view().checkListing(tasks, nowMs, engine.list(tasks, nowMs));
    } else if (query instanceof ListQueues queues) {
      view().checkQueues(queues, nowMs, engine.list(queues, nowMs));
    } else if (query instanceof ListDocs docs) {
      view().docs().checkListing(docs, engine.list(docs));
    } else if (query instanceof ListNamespaces namespaces) {
      view().docs().checkNamespaces(namespaces, nowMs, engine.list(namespaces, nowMs));
    }
  }

  /** Every task, every doc, every count. */
  public void checkEverything() {
    long nowMs = view().nowMs();
    checkCounts();
    look(ListQueues.getDefaultInstance(), nowMs);
    look(ListQueues.getDefaultInstance(), nowMs + 1_000);
    for (String queue : view().queues()) {
      look(ListTasks.newBuilder().setQueue(queue).build(), nowMs);
    }
    look(ListNamespaces.getDefaultInstance(), nowMs);
    look(ListNamespaces.getDefaultInstance(), nowMs + 30);
    for (String namespace : view().docs().namespaces()) {
      look(ListDocs.newBuilder().setNamespace(namespace).build(), nowMs);
    }
    Violation.checkEqual(
        "the content digest is the sum over the content",
        "@",
        machine().recomputeContentDigest(),
        machine().contentDigest());
  }

  private void checkCounts() {
    Violation.checkEqual("tasks", "@", (long) view().taskCount(), machine().taskCount());
    Violation.checkEqual("docs", "@", (long) view().docs().count(), machine().docCount());
    Violation.checkEqual("parked claims", "@", view().waiterCount(), machine().parkedCount());
    Violation.checkEqual("clients", "@", view().clientCount(), machine().clientCount());
  }

  // Restarts.

  /** Replays the whole log into a new engine, which must be the same at every record. */
  private void restart(int shape) {
    EngineUnderTest replayed = new EngineUnderTest(Shapes.of(shape));
    for (int i = 0; i < log.size(); i++) {
      replayed.apply(log.get(i));
      long[] expected = digests.get(i);
      long[] actual = digests(replayed);
      String record = "@" + (i + 1);
      Violation.checkEqual("replay: history digest", record, expected[0], actual[0]);
      Violation.checkEqual("replay: content digest", record, expected[1], actual[1]);
    }
    Violation.checkEqual(
        "replay: next deadline",
        "@" + log.size(),
        machine().nextDeadlineMs(),
        replayed.machine().nextDeadlineMs());
    engine = replayed;
    checkEverything();
  }

  private static long[] digests(EngineUnderTest engine) {
    return new long[] {engine.machine().historyDigest(), engine.machine().contentDigest()};
  }

  private StateMachine machine() {
    return engine.machine();
  }
}
