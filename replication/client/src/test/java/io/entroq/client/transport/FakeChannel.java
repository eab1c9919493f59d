package io.entroq.client.transport;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel whose calls the test answers. */
final class FakeChannel extends ManagedChannel {
  private final List<FakeCall<?, ?>> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger idles = new AtomicInteger();
  private boolean isShutdown;
  private ConnectivityState state = ConnectivityState.READY;
  private Runnable onStateChanged = () -> {};

  /** The calls of a method, in order. */
  @SuppressWarnings("unchecked")
  <Q, A> List<FakeCall<Q, A>> calls(MethodDescriptor<Q, A> method) {
    List<FakeCall<Q, A>> found = new ArrayList<>();
    for (FakeCall<?, ?> call : calls) {
      if (call.method() == method) {
        found.add((FakeCall<Q, A>) call);
      }
    }
    return found;
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    FakeCall<Q, A> call = new FakeCall<>(method);
    calls.add(call);
    return call;
  }

  @Override
  public ConnectivityState getState(boolean requestConnection) {
    return state;
  }

  @Override
  public void notifyWhenStateChanged(ConnectivityState source, Runnable callback) {
    onStateChanged = callback;
  }

  /** Changes the state of the connection. */
  void change(ConnectivityState newState) {
    state = newState;
    onStateChanged.run();
  }

  @Override
  public void enterIdle() {
    idles.incrementAndGet();
  }

  /** How often its connection was abandoned. */
  int idles() {
    return idles.get();
  }

  @Override
  public String authority() {
    return "test";
  }

  @Override
  public ManagedChannel shutdown() {
    isShutdown = true;
    return this;
  }

  @Override
  public ManagedChannel shutdownNow() {
    return shutdown();
  }

  @Override
  public boolean isShutdown() {
    return isShutdown;
  }

  @Override
  public boolean isTerminated() {
    return isShutdown;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return isShutdown;
  }
}
