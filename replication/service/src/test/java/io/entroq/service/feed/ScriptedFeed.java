package io.entroq.service.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedRange;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedStats;
import io.entroq.service.testing.Await;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/** A feed that tells what the test says, and filters nothing. Any thread. */
public final class ScriptedFeed implements EffectFeed {
  /** The log of all that it tells. */
  public static final UUID LOG = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  /** The time of all steps. */
  public static final long TIME_MS = 1_700_000_000_000L;

  /** Where frames are written, which must not be on the heap. */
  private static final UnsafeBuffer MEMORY = new UnsafeBuffer(ByteBuffer.allocateDirect(4 << 20));

  private final List<Reader> readers = new CopyOnWriteArrayList<>();
  private volatile FeedEnd endAtOnce;
  private volatile RuntimeException refusal;

  /** The feeds of a server that shows this. */
  public Feeds feeds() {
    return new Feeds(this, () -> LOG);
  }

  /** The text of a position: {@code 41}, or {@code 41-2}, of its log and its time. */
  public static String position(String step) {
    return step + "@00112233445566778899aabbccddeeff." + TIME_MS;
  }

  /** Ends later readers at once. */
  public void endAtOnce(FeedEnd.Reason reason, String text) {
    endAtOnce = new FeedEnd(reason, text);
  }

  /** Refuses later readers. */
  public void refuse(RuntimeException why) {
    refusal = why;
  }

  @Override
  public FeedReader open(FeedRequest request) {
    if (refusal != null) {
      throw refusal;
    }
    Reader reader = new Reader(request);
    reader.end = endAtOnce;
    readers.add(reader);
    return reader;
  }

  @Override
  public FeedRange kept() {
    return new FeedRange(10, 99, 7_000);
  }

  @Override
  public FeedStats stats() {
    return new FeedStats(readers.size(), 0, 0, 0, 0, kept());
  }

  /** How many readers were opened. */
  public int opened() {
    return readers.size();
  }

  /** A reader, for which this waits. */
  public Reader reader(int index) {
    Await.until("reader " + index + " is open", () -> readers.size() > index);
    return readers.get(index);
  }

  /** Writes an effect on a task. */
  public static Consumer<EffectWriter> task(int kind, String id, String queue) {
    return moved(kind, id, "", queue);
  }

  /** Writes an effect on a task that has changed its queue. */
  public static Consumer<EffectWriter> moved(int kind, String id, String from, String to) {
    return writer -> {
      begin(writer, kind, id);
      part(writer, EffectParts.QUEUE, to);
      part(writer, EffectParts.FORMER_QUEUE, from);
      part(writer, EffectParts.ID_TEXT, Ids.ofV1(id).text());
      if (kind == EffectKinds.DIED) {
        part(writer, EffectParts.ORIGIN, from);
      }
    };
  }

  /** Writes an insert of a task with a value. */
  public static Consumer<EffectWriter> valued(
      String id, String queue, int valueKind, byte[] value) {
    return task(EffectKinds.INSERTED, id, queue)
        .andThen(
            writer ->
                writer
                    .valueKind(valueKind)
                    .part(EffectParts.VALUE, new UnsafeBuffer(value), 0, value.length));
  }

  /** Begins an effect that its claimant asked for. */
  static void begin(EffectWriter writer, int kind, String id) {
    IdKey key = Ids.ofV1(id);
    writer.effect(writer.effects(), kind, EffectFlags.REQUESTED).version(7);
    writer.id(key.high(), key.low()).insertSequence(5);
  }

  static void part(EffectWriter writer, int part, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    writer.part(part, new UnsafeBuffer(bytes), 0, bytes.length);
  }

  @SafeVarargs
  private static byte[] frame(long sequence, Consumer<EffectWriter>... effects) {
    IdKey by = Ids.ofV1("me");
    byte[] text = by.text().getBytes(StandardCharsets.UTF_8);
    synchronized (MEMORY) {
      EffectWriter writer = new EffectWriter().wrap(MEMORY, 0, MEMORY.capacity());
      writer.begin(sequence, TIME_MS, by.high(), by.low(), new UnsafeBuffer(text), 0, text.length);
      for (Consumer<EffectWriter> effect : effects) {
        effect.accept(writer);
      }
      byte[] frame = new byte[writer.end()];
      assertThat(frame).isNotEmpty();
      MEMORY.getBytes(0, frame);
      return frame;
    }
  }

  /** Something to tell. */
  @FunctionalInterface
  private interface Item {
    /** Tells it; how many bytes it has. */
    int tell(EffectConsumer to);
  }

  /** A reader. */
  public final class Reader implements FeedReader {
    private final FeedRequest request;
    private final Queue<Item> items = new ArrayDeque<>();
    private Runnable awaiting;
    private long last;
    private FeedEnd end;
    private boolean isClosed;
    private boolean isPolled;
    private int taken;

    private Reader(FeedRequest request) {
      this.request = request;
    }

    /** What was asked for. */
    public FeedRequest request() {
      return request;
    }

    /** Tells of a step, for which "me" asked. */
    @SafeVarargs
    public final void step(long sequence, Consumer<EffectWriter>... effects) {
      byte[] frame = frame(sequence, effects);
      add(
          to -> {
            StepFrame step = new StepFrame().wrap(new UnsafeBuffer(frame), 0, frame.length);
            while (step.next()) {
              to.onEffect(step.effect());
            }
            last = sequence;
            return frame.length;
          });
    }

    /** Tells that nothing passed the filter until this step. */
    public void mark(long sequence) {
      add(
          to -> {
            last = sequence;
            return 0;
          });
    }

    /** Tells that the state is complete. */
    public void snapshotEnd(long sequence) {
      add(
          to -> {
            to.onSnapshotEnd(sequence, TIME_MS);
            last = sequence;
            return 0;
          });
    }

    /** Fails when it is read. */
    public void fail() {
      add(
          to -> {
            throw new IllegalStateException("the script says so");
          });
    }

    /** Ends after what was told before. */
    public void end(FeedEnd.Reason reason, String text) {
      synchronized (this) {
        end = new FeedEnd(reason, text);
      }
      awaken();
    }

    private void add(Item item) {
      synchronized (this) {
        items.add(item);
      }
      awaken();
    }

    private void awaken() {
      Runnable woken;
      synchronized (this) {
        woken = awaiting;
        awaiting = null;
      }
      if (woken != null) {
        woken.run();
      }
    }

    /** How many items were taken. */
    public synchronized int taken() {
      return taken;
    }

    /** Whether it was closed. */
    public synchronized boolean isClosed() {
      return isClosed;
    }

    /** Whether all was taken, and it waits for more. */
    public synchronized boolean isAwaited() {
      return items.isEmpty() && awaiting != null;
    }

    @Override
    public int poll(EffectConsumer consumer, int bytesMax) {
      synchronized (this) {
        assertThat(isPolled).as("one thread at a time").isFalse();
        isPolled = true;
      }
      int polled = 0;
      int bytes = 0;
      for (Item next = next(); next != null; next = bytes < bytesMax ? next() : null) {
        bytes += next.tell(consumer);
        polled++;
      }
      if (polled > 0) {
        consumer.onMark(last, TIME_MS);
      }
      synchronized (this) {
        isPolled = false;
      }
      return polled;
    }

    private synchronized Item next() {
      Item next = isClosed ? null : items.poll();
      taken += next == null ? 0 : 1;
      return next;
    }

    @Override
    public synchronized boolean await(Runnable onAvailable) {
      if (!items.isEmpty() || end != null || isClosed) {
        return false;
      }
      awaiting = onAvailable;
      return true;
    }

    @Override
    public synchronized Optional<FeedEnd> ended() {
      return items.isEmpty() ? Optional.ofNullable(end) : Optional.empty();
    }

    @Override
    public synchronized void close() {
      isClosed = true;
    }
  }
}
