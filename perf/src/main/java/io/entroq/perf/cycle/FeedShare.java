package io.entroq.perf.cycle;

import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.process.JavaProcess;
import io.entroq.perf.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
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
 * <p>What the compiler makes of the same code differs from one process to the next, and with it the
 * ratio. So each row is of several processes. Of two engines the one that was opened first is up to
 * a few percent slower, so it is the one that is read in every other process.
 *
 * <p>Arguments: processes for each row (8), rounds in each (9), cycles per slice (100,000).
 */
public final class FeedShare {
  private static final int VALUE_BYTES = 128;
  private static final int POLL_BYTES = 1 << 20;
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final List<String> FLAGS = List.of("-Xmx1g", "-XX:MaxDirectMemorySize=4g");
  private static final String IN_MEMORY = "memory";
  private static final String SHARE = "share ";

  private FeedShare() {}

  public static void main(String[] args) throws IOException {
    int processes = args.length > 0 ? Integer.parseInt(args[0]) : 8;
    String rounds = args.length > 1 ? args[1] : "9";
    String cycles = args.length > 2 ? args[2] : "100000";
    for (String log : List.of("files", IN_MEMORY)) {
      for (String readers : List.of("1", "10")) {
        double[] shares = new double[processes];
        for (int i = 0; i < processes; i++) {
          String isReadFirst = Boolean.toString(i % 2 == 0);
          shares[i] = share(List.of(log, readers, isReadFirst, rounds, cycles));
          System.out.printf("log in %s, readers: %s, share %.2f%n", log, readers, shares[i]);
        }
        Spread share = Spread.of(shares);
        System.out.printf(
            "log in %s, readers: %s, median %.2f (%.2f to %.2f)%n",
            log, readers, share.median(), share.least(), share.greatest());
      }
    }
  }

  private static double share(List<String> args) throws IOException {
    try (JavaProcess process =
        new JavaProcess(JavaProcess.CLASS_PATH, FLAGS, OneProcess.class, args)) {
      return Double.parseDouble(process.await(SHARE));
    }
  }

  /** Measures once. */
  public static final class OneProcess {
    private OneProcess() {}

    public static void main(String[] args) throws IOException {
      try (ScratchDirectory scratch = new ScratchDirectory();
          DrivenEngine first = open(args[0], scratch.resolve("first"));
          DrivenEngine second = open(args[0], scratch.resolve("second"))) {
        boolean isReadFirst = Boolean.parseBoolean(args[2]);
        DrivenEngine read = isReadFirst ? first : second;
        DrivenCycle withReaders = new DrivenCycle(read, VALUE_BYTES);
        DrivenCycle without = new DrivenCycle(isReadFirst ? second : first, VALUE_BYTES);
        List<LiveReader> readers = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
          readers.add(new LiveReader(read.feed()));
        }
        int cycles = Integer.parseInt(args[4]);
        Spread share =
            new SideBySide(Integer.parseInt(args[3]))
                .measure(
                    new SideBySide.Side("read", cycles, withReaders::cycle),
                    new SideBySide.Side("off", cycles, without::cycle));
        readers.forEach(LiveReader::close);
        System.out.println(SHARE + share.median());
      }
    }

    private static DrivenEngine open(String log, Path directory) {
      return log.equals(IN_MEMORY)
          ? DrivenEngine.open(EmbeddedConfig.inMemory().build(), (sequence, result) -> {})
          : DrivenEngine.open(directory);
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
