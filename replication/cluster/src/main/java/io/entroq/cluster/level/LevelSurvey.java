package io.entroq.cluster.level;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Asks all members through the log which levels they support, and answers for this one. Only
 * answers to the question count, not older ones, since a member may have had another build then.
 * Each question has a new number, repetitions included. Concurrent callers share the questions
 * asked after they started.
 *
 * <p>Any thread, unless noted otherwise.
 */
public final class LevelSurvey {
  /** Messages may be lost, so questions are repeated; members may then answer twice. */
  private static final long REPEAT_MS = 200;

  private static final Executor DELAYED =
      CompletableFuture.delayedExecutor(REPEAT_MS, TimeUnit.MILLISECONDS);

  private final int memberId;
  private final int members;
  private final LevelRange own;
  private final Consumer<DirectBuffer> sender;
  private final Set<Round> rounds = ConcurrentHashMap.newKeySet();

  /** The newest question. It starts at random, so that members use different numbers. */
  private final AtomicLong newestQuestion = new AtomicLong(new SecureRandom().nextLong());

  private final AtomicBoolean isRepeating = new AtomicBoolean();

  /**
   * @param memberId this member
   * @param members number of members
   * @param own the levels that this member supports
   * @param sender appends a message to the log, or loses it; called on any thread
   */
  public LevelSurvey(int memberId, int members, LevelRange own, Consumer<DirectBuffer> sender) {
    this.memberId = memberId;
    this.members = members;
    this.own = own;
    this.sender = sender;
  }

  /**
   * Asks all members.
   *
   * @param timeout how long members have to answer
   * @return completes when all have answered or the time is up, with the levels by member, without
   *     members that did not answer. Completes on a thread that may block
   */
  public CompletableFuture<SortedMap<Integer, LevelRange>> run(Duration timeout) {
    Round round = new Round(newestQuestion.get() + 1);
    rounds.add(round);
    CompletableFuture<SortedMap<Integer, LevelRange>> result =
        round
            .complete
            .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
            .handleAsync((all, late) -> end(round));
    send(false, newestQuestion.incrementAndGet());
    if (isRepeating.compareAndSet(false, true)) {
      DELAYED.execute(this::repeat);
    }
    return result;
  }

  private void repeat() {
    if (!rounds.isEmpty()) {
      send(false, newestQuestion.incrementAndGet());
      DELAYED.execute(this::repeat);
      return;
    }
    isRepeating.set(false);
    // A round that started just before saw the flag still set.
    if (!rounds.isEmpty() && isRepeating.compareAndSet(false, true)) {
      DELAYED.execute(this::repeat);
    }
  }

  private SortedMap<Integer, LevelRange> end(Round round) {
    rounds.remove(round);
    return new TreeMap<>(round.answers);
  }

  /**
   * Handles a message from the log. Applying thread.
   *
   * @param isLive whether the member has finished replaying the log; nobody waits for answers to
   *     replayed questions
   */
  public void onMessage(DirectBuffer buffer, int offset, boolean isLive) {
    LevelMessage message = LevelMessage.read(buffer, offset, members).orElse(null);
    if (message == null) {
      return;
    }
    if (message.isAnswer()) {
      onAnswer(message);
    } else if (isLive) {
      send(true, message.question());
    }
  }

  /** A member's last answer counts. */
  private void onAnswer(LevelMessage answer) {
    long newest = newestQuestion.get();
    for (Round round : rounds) {
      if (round.includes(answer.question(), newest)) {
        round.answers.put(answer.memberId(), answer.range());
        if (round.answers.size() == members) {
          round.complete.complete(null);
        }
      }
    }
  }

  private void send(boolean isAnswer, long question) {
    UnsafeBuffer message = new UnsafeBuffer(new byte[LevelMessage.BYTES]);
    new LevelMessage(isAnswer, memberId, question, own).write(message);
    sender.accept(message);
  }

  /** A caller that waits for answers to a question, or to a later one. */
  private static final class Round {
    private final long first;
    private final Map<Integer, LevelRange> answers = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> complete = new CompletableFuture<>();

    Round(long first) {
      this.first = first;
    }

    /** Whether a question belongs to this round. Numbers may overflow. */
    boolean includes(long question, long newest) {
      return question - first >= 0 && question - newest <= 0;
    }
  }
}
