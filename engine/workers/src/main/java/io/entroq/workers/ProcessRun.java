package io.entroq.workers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A running program. Its outputs are read at once, so that it does not wait for a reader. */
final class ProcessRun {
  /**
   * How long both outputs are read after the end of the program. A descendant that keeps one open
   * also keeps its reader until it ends: to close the stream does not end the read of another
   * thread, and the JDK has no other way. A thread of the JDK waits with it.
   */
  private static final long DRAIN_MS = 1_000;

  /** How many such readers there may be in this process. */
  static final int LEFT_READERS_MAX = 200;

  private static final AtomicInteger LEFT_READERS = new AtomicInteger();

  private final Process process;
  private final Tail stdout;
  private final Tail stderr;

  private ProcessRun(Process process, int bytesMax) {
    this.process = process;
    stdout = new Tail(process.getInputStream(), bytesMax);
    stderr = new Tail(process.getErrorStream(), bytesMax);
  }

  /**
   * Starts a program.
   *
   * @param bytesMax how much of each output to keep
   * @param leftReadersMax how many readers of programs that have ended may still wait
   * @throws IOException if it cannot be started
   * @throws IllegalStateException if too many readers wait
   */
  static ProcessRun start(ProcessBuilder builder, int bytesMax, int leftReadersMax)
      throws IOException {
    if (LEFT_READERS.get() >= leftReadersMax) {
      throw new IllegalStateException(
          "descendants of programs that have ended keep %,d of their outputs open: redirect these,"
                  .formatted(LEFT_READERS.get())
              + " or let the programs wait for their descendants");
    }
    ProcessRun run = new ProcessRun(builder.start(), bytesMax);
    run.stdout.start();
    run.stderr.start();
    return run;
  }

  /**
   * Gives it its input and waits for its end. Afterwards it is gone.
   *
   * @return false if it was killed because it took too long
   * @throws InterruptedException if the caller was interrupted; the program is killed
   */
  boolean await(byte[] input, Duration timeout) throws InterruptedException {
    // A program need not read its input, and must not keep the caller waiting by that.
    Thread feeder = daemon("input", () -> feed(input));
    feeder.start();
    try {
      boolean ended = process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
      if (!ended) {
        kill(process.toHandle());
        process.waitFor();
      }
      long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MS);
      stdout.join(endNanos);
      stderr.join(endNanos);
      return ended;
    } finally {
      kill(process.toHandle());
      stdout.leave();
      stderr.leave();
    }
  }

  private void feed(byte[] input) {
    try (OutputStream stream = process.getOutputStream()) {
      stream.write(input);
    } catch (IOException e) {
      // It has closed its input or ended.
    }
  }

  /**
   * From the top: a parent must not see its child end and go on. Its children are looked for
   * before, as nobody can find them once it is gone.
   */
  private static void kill(ProcessHandle process) {
    List<ProcessHandle> children = process.children().toList();
    process.destroyForcibly();
    children.forEach(ProcessRun::kill);
  }

  /** The exit status, after its end. */
  int status() {
    return process.exitValue();
  }

  /** The end of its standard output. */
  String stdout(int bytesMax) {
    return stdout.text(bytesMax);
  }

  /** The end of its standard error. */
  String stderr(int bytesMax) {
    return stderr.text(bytesMax);
  }

  private static Thread daemon(String name, Runnable action) {
    Thread thread = new Thread(action, "entroq-proc-" + name);
    thread.setDaemon(true);
    return thread;
  }

  /** Reads a stream to its end and keeps the last bytes. */
  private static final class Tail {
    /** As EntroQ's worker marks it. */
    private static final String CUT = "<truncated...>\n";

    private final InputStream stream;
    private final byte[] ring;
    private final Thread reader = daemon("output", this::read);
    private long count;
    private boolean isAtEnd;
    private boolean isLeft;

    Tail(InputStream stream, int bytesMax) {
      this.stream = stream;
      ring = new byte[bytesMax];
    }

    void start() {
      reader.start();
    }

    void join(long endNanos) throws InterruptedException {
      TimeUnit.NANOSECONDS.timedJoin(reader, endNanos - System.nanoTime());
    }

    private void read() {
      byte[] buffer = new byte[8 * 1024];
      try {
        for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
          add(buffer, n);
        }
      } catch (IOException e) {
        // The process was killed.
      } finally {
        end();
      }
    }

    private synchronized void end() {
      isAtEnd = true;
      if (isLeft) {
        LEFT_READERS.decrementAndGet();
      }
    }

    /** Nobody waits for its end any more. */
    synchronized void leave() {
      if (!isAtEnd) {
        isLeft = true;
        LEFT_READERS.incrementAndGet();
      }
    }

    private synchronized void add(byte[] bytes, int n) {
      for (int i = Math.max(0, n - ring.length); i < n; i++) {
        ring[(int) ((count + i) % ring.length)] = bytes[i];
      }
      count += n;
    }

    synchronized String text(int bytesMax) {
      int kept = (int) Math.min(count, Math.min(ring.length, bytesMax));
      byte[] end = new byte[kept];
      for (int i = 0; i < kept; i++) {
        end[i] = ring[(int) ((count - kept + i) % ring.length)];
      }
      return (kept < count ? CUT : "") + new String(end, StandardCharsets.UTF_8);
    }
  }
}
