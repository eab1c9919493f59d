package io.entroq.perf.peers.process;

import io.entroq.perf.peers.peer.Server;
import java.io.IOException;
import java.util.concurrent.Callable;

/** A server in a child process, which is paused by a signal. */
public abstract class ChildServer implements Server {
  private final ChildProcess child;

  protected ChildServer(ChildProcess child) {
    this.child = child;
  }

  /** Finishes a start, and kills the child if that fails. */
  protected static <T> T started(ChildProcess child, Callable<T> rest) throws Exception {
    try {
      return rest.call();
    } catch (Throwable t) {
      child.close();
      throw t;
    }
  }

  @Override
  public final boolean canPause() {
    return true;
  }

  @Override
  public void pause() throws IOException {
    child.stop();
  }

  @Override
  public void resume() throws IOException {
    child.resume();
  }

  @Override
  public void close() throws IOException {
    child.close();
  }
}
