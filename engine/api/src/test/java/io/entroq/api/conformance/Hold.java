package io.entroq.api.conformance;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/**
 * Holds up whoever calls a method, for as long as a test says. An engine that asks its clock before
 * it answers can be held up there. Any thread.
 */
public final class Hold {
  private volatile CountDownLatch end = new CountDownLatch(0);

  /**
   * The same object, of which one method waits for the end of the hold.
   *
   * @param type an interface
   */
  public <T> T before(String method, Class<T> type, T object) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method)) {
                end.await();
              }
              try {
                return called.invoke(object, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Holds up all later calls. */
  public void begin() {
    end = new CountDownLatch(1);
  }

  /** Lets all calls go on. */
  public void end() {
    end.countDown();
  }
}
