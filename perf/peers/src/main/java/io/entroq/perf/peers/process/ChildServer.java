package io.entroq.perf.peers.process;

import io.entroq.engine.Closing;
import io.entroq.perf.peers.peer.Server;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/** A server, or a cluster of them, in child processes, which are paused by signals. */
public abstract class ChildServer implements Server {
  private final List<ChildProcess> children;

  protected ChildServer(List<ChildProcess> children) {
    this.children = List.copyOf(children);
  }

  /**
   * Finishes a start, and kills the children if that fails.
   *
   * @param children to which the rest may add others
   */
  protected static <T> T started(List<ChildProcess> children, Callable<T> rest) throws Exception {
    try {
      return rest.call();
    } catch (Throwable t) {
      Closing.after(t, children.toArray(AutoCloseable[]::new));
      throw t;
    }
  }

  @Override
  public final boolean canPause() {
    return true;
  }

  @Override
  public void pause() throws IOException {
    for (ChildProcess child : children) {
      child.stop();
    }
  }

  @Override
  public void resume() throws Exception {
    for (ChildProcess child : children) {
      child.resume();
    }
  }

  @Override
  public void close() throws IOException {
    Closing.all(children.toArray(AutoCloseable[]::new));
  }
}
