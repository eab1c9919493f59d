package io.entroq.jdbc;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Simulates a crash at a critical moment: before or after the commit of a database transaction, or
 * before or after a Modify.
 */
final class Mortality {
  private final AtomicInteger momentsLeft;

  /** Crashes at this moment, counted from 1. */
  Mortality(int moment) {
    momentsLeft = new AtomicInteger(moment);
  }

  /** Whether the crash has happened. */
  boolean hasStruck() {
    return momentsLeft.get() <= 0;
  }

  /** A queue with something before each Modify. */
  static EntroQ before(EntroQ real, Step step) {
    return proxy(
        EntroQ.class,
        (self, method, args) -> {
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(self, method, args);
          }
          if (method.getName().equals("modifyAsync")) {
            step.run((Modification) args[0]);
          }
          return invoke(real, method, args);
        });
  }

  /** What comes before a Modify. */
  @FunctionalInterface
  interface Step {
    void run(Modification modification) throws Exception;
  }

  /** A queue whose caller may crash. */
  EntroQ queue(EntroQ real) {
    return proxy(
        EntroQ.class,
        (self, method, args) -> {
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(self, method, args);
          }
          boolean isFatal = method.getName().equals("modifyAsync");
          live(isFatal);
          Object answer = invoke(real, method, args);
          if (isFatal) {
            Object unused = ((CompletableFuture<?>) answer).join();
          }
          live(isFatal);
          return answer;
        });
  }

  /** A database whose caller may crash. */
  Connector database(Connector real) {
    return () -> {
      Connection connection = real.connect();
      return proxy(
          Connection.class,
          (self, method, args) -> {
            boolean isFatal = method.getName().equals("commit");
            live(isFatal);
            Object answer = invoke(connection, method, args);
            live(isFatal);
            return answer;
          });
    };
  }

  private void live(boolean isFatal) {
    if (isFatal && momentsLeft.decrementAndGet() == 0) {
      throw new Death();
    }
  }

  private static Object invoke(Object real, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(real, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    Class<?>[] types = {type};
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, handler));
  }

  /** The crash, which no code catches. */
  static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }
}
