package io.entroq.service.admission;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** A service that does nothing but to note what comes, and answers when it is told to. */
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

  /** A call under way, and what its transport has told of it. */
  static final class Held implements Call {
    final Message request;
    final Reply<?> reply;
    final List<String> told = new ArrayList<>();

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
      told.add("cancel");
    }

    @Override
    public void withdraw() {
      told.add("withdraw");
    }

    @Override
    public void delivered() {
      told.add("delivered");
    }

    @Override
    public void ready() {
      told.add("ready");
    }
  }
}
