package io.entroq.perf.cycle;

import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.perf.fixture.ScratchDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures what readers of the feed cost a caller that drives the engine: cycles of an engine with
 * one live reader, and with ten, beside cycles of an engine whose feed is off. A reader looks for
 * effects every 0.5 ms, on a thread of its own. What it costs that there can be readers at all,
 * {@code BuildComparison} tells with {@link CycleShare}.
 *
 * <p>Arguments: rounds (15), cycles per slice (100,000).
 */
public final class FeedShare {
  private static final int VALUE_BYTES = 128;
  private static final int POLL_BYTES = 1 << 20;
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);

  private FeedShare() {}

  public static void main(String[] args) throws IOException {
    SideBySide sides = new SideBySide(args.length > 0 ? Integer.parseInt(args[0]) : 15);
    int cycles = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    try (ScratchDirectory scratch = new ScratchDirectory();
        DrivenEngine read = DrivenEngine.open(scratch.resolve("read"));
        DrivenEngine unread = DrivenEngine.open(scratch.resolve("unread"))) {
      System.out.println("log in files");
      measure(sides, cycles, read, unread);
    }
    try (DrivenEngine read = inMemory();
        DrivenEngine unread = inMemory()) {
      System.out.println("log in memory");
      measure(sides, cycles, read, unread);
    }
  }

  private static DrivenEngine inMemory() {
    return DrivenEngine.open(EmbeddedConfig.inMemory().build(), (sequence, result) -> {});
  }

  private static void measure(
      SideBySide sides, int cycles, DrivenEngine read, DrivenEngine unread) {
    DrivenCycle withReaders = new DrivenCycle(read, VALUE_BYTES);
    DrivenCycle without = new DrivenCycle(unread, VALUE_BYTES);
    for (int readers : new int[] {1, 10}) {
      List<LiveReader> open = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        open.add(new LiveReader(read.feed()));
      }
      sides.measure(
          new SideBySide.Side("readers: " + readers, cycles, withReaders::cycle),
          new SideBySide.Side("off", cycles, without::cycle));
      open.forEach(LiveReader::close);
    }
  }

  /** Reads all that happens, and ends the program if it cannot keep up. */
  private static final class LiveReader implements EffectConsumer {
    private final FeedReader reader;
    private final Thread thread = new Thread(this::run, "reader");
    private volatile boolean isClosed;
    private long effects;

    LiveReader(EffectFeed feed) {
      reader = feed.open(FeedRequest.all(new FeedRequest.Start.Now()));
      thread.setDaemon(true);
      thread.start();
    }

    private void run() {
      while (!isClosed) {
        if (reader.poll(this, POLL_BYTES) == 0) {
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
    }

    @Override
    public void onEffect(EffectReader effect) {
      effects++;
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {}

    void close() {
      isClosed = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (reader.ended().isPresent()) {
        throw new IllegalStateException("a reader was too slow: " + reader.ended().get().text());
      }
      reader.close();
      System.out.printf("a reader saw %,d effects%n", effects);
    }
  }
}
