package io.entroq.server.flood;

import io.entroq.service.grpc.RawHttp2;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;

/** Some who flood a server until they are told to end: who is cut comes back at once. */
final class Flooding implements AutoCloseable {
  private static final int SLOW_CONNECTIONS = 50;
  private static final int TIMEOUT_MS = 30_000;
  private static final long SLOW_NS = 5_000_000;
  private static final long LOOK_NS = 1_000_000;

  private final Flood flood;
  private final int port;
  private final Optional<SSLContext> tls;
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<AutoCloseable> open = new ConcurrentLinkedQueue<>();
  private final AtomicInteger cut = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean isOver;

  Flooding(Flood flood, int count, int port, Optional<SSLContext> tls) {
    this.flood = flood;
    this.port = port;
    this.tls = tls;
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(this::flood, "flood-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** How often a connection was cut. */
  int cut() {
    return cut.get();
  }

  /** How many bytes were said. */
  long bytes() {
    return bytes.get();
  }

  private void flood() {
    while (!isOver) {
      try {
        if (flood.isSlow()) {
          sayLittle();
        } else {
          sayMuch();
        }
      } catch (IOException e) {
        if (!isOver) {
          cut.incrementAndGet();
        }
      } finally {
        closeAll();
      }
    }
  }

  private void sayMuch() throws IOException {
    Talk talk = connect();
    talk.say(flood.first());
    for (int round = 0; !isOver; round++) {
      byte[] more = flood.more().apply(round);
      talk.say(more);
      bytes.addAndGet(more.length);
    }
  }

  private void sayLittle() throws IOException {
    List<Talk> talks = new ArrayList<>();
    for (int i = 0; i < SLOW_CONNECTIONS && !isOver; i++) {
      Talk talk = connect();
      talk.say(flood.first());
      talks.add(talk);
    }
    for (int round = 0; !isOver; round++) {
      talks.get(round % talks.size()).say(flood.more().apply(round));
      LockSupport.parkNanos(SLOW_NS);
    }
  }

  @FunctionalInterface
  private interface Talk {
    void say(byte[] words) throws IOException;
  }

  private Talk connect() throws IOException {
    if (!flood.isHttp()) {
      RawHttp2 connection = new RawHttp2(port, tls);
      open.add(connection);
      return connection::write;
    }
    Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
    open.add(plain);
    plain.setSoTimeout(TIMEOUT_MS);
    Socket socket =
        tls.isPresent()
            ? tls.get().getSocketFactory().createSocket(plain, "localhost", port, true)
            : plain;
    InputStream answers = socket.getInputStream();
    return words -> {
      socket.getOutputStream().write(words);
      // Who was refused politely is told by an end.
      while (answers.available() > 0) {
        if (answers.read() < 0) {
          throw new IOException("closed");
        }
      }
    };
  }

  private void closeAll() {
    for (AutoCloseable next = open.poll(); next != null; next = open.poll()) {
      close(next);
    }
  }

  private static void close(AutoCloseable connection) {
    try {
      connection.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Ends all of them. */
  @Override
  public void close() {
    isOver = true;
    while (threads.stream().anyMatch(Thread::isAlive)) {
      // Again and again, as one may be connecting.
      closeAll();
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
