package io.entroq.perf.peers;

import io.entroq.load.LoadSession;
import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.peer.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;

/** A queue on the heap, with the faults that a test wants. */
public class FakePeer extends Peer {
  private final List<String> events;

  /** One that notes what happens to it. */
  public FakePeer(String id, List<String> events) {
    super(id, id, EnumSet.of(DurabilityClass.MEMORY));
    this.events = events;
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    return new Settings("nothing", Map.of("size", "small"), Map.of(), "add, poll");
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    events.add(id() + " start");
    return new Server() {
      @Override
      public String version() {
        return "1.0";
      }

      @Override
      public LoadTarget createQueue(String name, Shape shape) {
        ConcurrentLinkedDeque<byte[]> tasks = new ConcurrentLinkedDeque<>();
        return caller -> session(tasks);
      }

      @Override
      public boolean canPause() {
        return true;
      }

      @Override
      public void pause() {
        events.add(id() + " pause");
      }

      @Override
      public void resume() {
        events.add(id() + " resume");
      }

      @Override
      public void close() {
        events.add(id() + " close");
      }
    };
  }

  /** What a caller gets. */
  protected LoadSession session(ConcurrentLinkedDeque<byte[]> tasks) {
    return new FakeSession(tasks, tasks::poll);
  }

  /** Claims by a way that the test chooses. */
  public static class FakeSession implements LoadSession {
    private final ConcurrentLinkedDeque<byte[]> tasks;
    private final Supplier<byte[]> next;

    /** Of a queue. */
    public FakeSession(ConcurrentLinkedDeque<byte[]> tasks, Supplier<byte[]> next) {
      this.tasks = tasks;
      this.next = next;
    }

    @Override
    public void insert(List<byte[]> values) {
      tasks.addAll(values);
    }

    @Override
    public List<byte[]> claim(int limit) {
      List<byte[]> values = new ArrayList<>();
      byte[] value = next.get();
      while (value != null) {
        values.add(value);
        value = values.size() < limit ? next.get() : null;
      }
      return values;
    }

    @Override
    public void commit() {}

    @Override
    public void close() {}
  }
}
