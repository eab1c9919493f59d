package io.entroq.server.remote;

import io.entroq.api.EntroQException;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import io.entroq.engine.gateway.Submission;
import io.entroq.engine.gateway.WaitingClaim;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/**
 * The gateway of an engine, as that of a member of a cluster which is cut off from the others when
 * it is told to: reads are refused, and writes wait until it is there again, and are done then.
 */
final class IsolatedGateway {
  private final Gateway gateway;
  private final List<Held> held = new ArrayList<>();
  private boolean isCutOff;

  IsolatedGateway(Gateway gateway) {
    this.gateway = gateway;
  }

  /** As a server takes it. */
  Gateway gateway() {
    return (Gateway)
        Proxy.newProxyInstance(
            IsolatedGateway.class.getClassLoader(), new Class<?>[] {Gateway.class}, this::call);
  }

  /** From now on nothing is done. */
  synchronized void cutOff() {
    isCutOff = true;
  }

  /** From now on everything is done, beginning with what was to be done meanwhile. */
  void rejoin() {
    List<Held> late;
    synchronized (this) {
      isCutOff = false;
      late = new ArrayList<>(held);
      held.clear();
    }
    late.forEach(Held::submit);
  }

  /** How many writes wait. */
  synchronized int held() {
    return held.size();
  }

  private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
    synchronized (this) {
      if (isCutOff) {
        switch (method.getName()) {
          case "claim", "claimingModify", "waitingClaim", "modify", "claimDocs", "cancelClaim" -> {
            Held write = new Held(method, arguments);
            held.add(write);
            return write;
          }
          case "time", "reached" -> {
            return refuse((Completion) arguments[arguments.length - 1]);
          }
          case "tasks", "queues", "docs", "namespaces" -> {
            return new RefusedListing();
          }
          default -> {}
        }
      }
    }
    return invoke(method, arguments);
  }

  private Object invoke(Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(gateway, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Submission refuse(Completion completion) {
    completion.onFailure(new EntroQException.Unavailable("this member has no contact"));
    return () -> {};
  }

  private static final class RefusedListing implements Listing {
    @Override
    public Submission next(Completion completion) {
      return refuse(completion);
    }

    @Override
    public boolean isComplete() {
      return false;
    }
  }

  /** A write that waits, and is one of the gateway's later. */
  private final class Held implements WaitingClaim {
    private final Method method;
    private final Object[] arguments;
    private Submission submitted;
    private boolean isCancelled;
    private boolean isWithdrawn;

    Held(Method method, Object... arguments) {
      this.method = method;
      this.arguments = arguments.clone();
    }

    synchronized void submit() {
      if (!isCancelled) {
        try {
          submitted = (Submission) invoke(method, arguments);
        } catch (Throwable t) {
          throw new IllegalStateException(t);
        }
        if (isWithdrawn) {
          withdraw();
        }
      }
    }

    @Override
    public synchronized void cancel() {
      isCancelled = true;
      if (submitted != null) {
        submitted.cancel();
      }
    }

    @Override
    public synchronized void withdraw() {
      if (submitted == null) {
        isWithdrawn = true;
      } else {
        ((WaitingClaim) submitted).withdraw();
      }
    }

    @Override
    public synchronized void refuse() {
      ((WaitingClaim) submitted).refuse();
    }

    @Override
    public synchronized void settle() {
      if (submitted instanceof WaitingClaim claim) {
        claim.settle();
      }
    }
  }
}
