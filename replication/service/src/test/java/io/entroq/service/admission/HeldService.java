package io.entroq.service.admission;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** A service that records calls and responds only when a test asks it to. */
final class HeldService {
  final List<Held> begun = new ArrayList<>();
  final Service service =
      (Service)
          Proxy.newProxyInstance(
              Service.class.getClassLoader(),
              new Class<?>[] {Service.class},
              (proxy, method, args) -> begin(args));

  private Held begin(Object[] args) {
    Held held = new Held((Message) args[2], (Reply<?>) args[3]);
    begun.add(held);
    return held;
  }

  /** A running call and the events from its transport. */
  static final class Held implements Call {
    final Message request;
    final Reply<?> reply;
    final List<String> events = new ArrayList<>();

    Held(Message request, Reply<?> reply) {
      this.request = request;
      this.reply = reply;
    }

    @SuppressWarnings("unchecked")
    <S extends Message> void answer(S response) {
      ((Reply<S>) reply).send(response);
    }

    @Override
    public void cancel() {
      events.add("cancel");
    }

    @Override
    public void withdraw() {
      events.add("withdraw");
    }

    @Override
    public void delivered() {
      events.add("delivered");
    }

    @Override
    public void ready() {
      events.add("ready");
    }
  }
}
