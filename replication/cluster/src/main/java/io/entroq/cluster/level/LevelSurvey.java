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
 * Asks all members through the log what they support, and answers for this one. What counts is what
 * a member says behind the question: not what it has said before, as it may have been another build
 * then. Questions are numbered, each repetition too: whoever asks while others wait shares with
 * them what is asked from then on.
 *
 * <p>Any thread, but for what says otherwise.
 */
public final class LevelSurvey {
  /** What was said may be lost, so it is asked again, for all who wait; answers then come twice. */
  private static final long REPEAT_MS = 200;

  private static final Executor LATER =
      CompletableFuture.delayedExecutor(REPEAT_MS, TimeUnit.MILLISECONDS);

  private final int memberId;
  private final int members;
  private final LevelRange own;
  private final Consumer<DirectBuffer> tell;
  private final Set<Round> rounds = ConcurrentHashMap.newKeySet();

  /** The newest question; they begin anywhere, so that other members have others. */
  private final AtomicLong asked = new AtomicLong(new SecureRandom().nextLong());

  private final AtomicBoolean isRepeating = new AtomicBoolean();

  /**
   * @param memberId this one
   * @param members how many there are
   * @param own what this one supports
   * @param tell brings a message into the log, or loses it; any thread
   */
  public LevelSurvey(int memberId, int members, LevelRange own, Consumer<DirectBuffer> tell) {
    this.memberId = memberId;
    this.members = members;
    this.own = own;
    this.tell = tell;
  }

  /** How many members there are. */
  int members() {
    return members;
  }

  /**
   * Asks all.
   *
   * @param timeout how long a member has to answer
   * @return completes, on a thread that may be held up, when all have answered, or the time is
   *     over: by member what it supports, without those that have not said it
   */
  public CompletableFuture<SortedMap<Integer, LevelRange>> take(Duration timeout) {
    Round round = new Round(asked.get() + 1);
    rounds.add(round);
    CompletableFuture<SortedMap<Integer, LevelRange>> taken =
        round
            .allSaid
            .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
            .handleAsync((all, late) -> end(round));
    say(false, asked.incrementAndGet());
    if (isRepeating.compareAndSet(false, true)) {
      LATER.execute(this::repeat);
    }
    return taken;
  }

  private void repeat() {
    if (!rounds.isEmpty()) {
      say(false, asked.incrementAndGet());
      LATER.execute(this::repeat);
      return;
    }
    isRepeating.set(false);
    // Somebody may have begun meanwhile, and relied on this one.
    if (!rounds.isEmpty() && isRepeating.compareAndSet(false, true)) {
      LATER.execute(this::repeat);
    }
  }

  private SortedMap<Integer, LevelRange> end(Round round) {
    rounds.remove(round);
    return new TreeMap<>(round.said);
  }

  /**
   * Takes in a message that has come out of the log, and answers. Applying thread.
   *
   * @param isPresent whether the log has come to now; what was asked before this member had begun
   *     nobody waits for any more
   */
  public void onMessage(DirectBuffer buffer, int offset, boolean isPresent) {
    LevelMessage message = LevelMessage.read(buffer, offset, members).orElse(null);
    if (message == null) {
      return;
    }
    if (message.isAnswer()) {
      note(message);
    } else if (isPresent) {
      say(true, message.question());
    }
  }

  /** The last word of a member counts. */
  private void note(LevelMessage answer) {
    long newest = asked.get();
    for (Round round : rounds) {
      if (round.isAsked(answer.question(), newest)) {
        round.said.put(answer.memberId(), answer.range());
        if (round.said.size() == members) {
          round.allSaid.complete(null);
        }
      }
    }
  }

  private void say(boolean isAnswer, long question) {
    UnsafeBuffer message = new UnsafeBuffer(new byte[LevelMessage.BYTES]);
    new LevelMessage(isAnswer, memberId, question, own).write(message);
    tell.accept(message);
  }

  /** Somebody who waits for the answers to a question, or to one that was asked since. */
  private static final class Round {
    private final long first;
    private final Map<Integer, LevelRange> said = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> allSaid = new CompletableFuture<>();

    Round(long first) {
      this.first = first;
    }

    /** Whether a question is one that this waits for; they may go past the largest number. */
    boolean isAsked(long question, long newest) {
      return question - first >= 0 && question - newest <= 0;
    }
  }
}
