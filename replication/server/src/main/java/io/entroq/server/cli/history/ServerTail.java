package io.entroq.server.cli.history;

import io.entroq.api.EntroQException;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedIterator;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Shows the feed of a server as it comes, and says when it does not come. */
final class ServerTail {
  /** How often it looks whether the process should end. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final FeedIterator feed;
  private final Consumer<String> notes;
  private boolean isDisconnected;

  /**
   * @param notes receives what the user should know
   */
  ServerTail(FeedIterator feed, Consumer<String> notes) {
    this.feed = feed;
    this.notes = notes;
  }

  /**
   * Shows effects until there are no more, the process should end, or the thread is interrupted.
   *
   * @param onIdle runs before it waits
   * @return the exit status
   * @throws EntroQException if the feed has failed
   */
  int run(Interruption interruption, Consumer<Effect> effects, Runnable onIdle) {
    try {
      while (!interruption.isRequested() && !feed.isEnded()) {
        Optional<Effect> next = feed.next(Duration.ZERO);
        if (next.isEmpty()) {
          onIdle.run();
          next = feed.next(LOOK);
        }
        tell(feed.problem());
        next.ifPresent(effects);
      }
      return feed.isEnded() ? 0 : Interruption.STATUS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Interruption.STATUS;
    }
  }

  private void tell(Optional<EntroQException> problem) {
    if (problem.isPresent() != isDisconnected) {
      isDisconnected = problem.isPresent();
      notes.accept(
          problem
              .map(why -> why.getMessage() + "; trying again")
              .orElse("connected again, nothing was missed"));
    }
  }
}
