package io.entroq.spring;

import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a bean as a handler: what its parameters get, and what its result means. Thread-safe.
 */
final class ListenerMethod implements Handler<Object> {
  private static final String PARAMETERS =
      "Its parameters may be, each once: the payload, io.entroq.api.Task and"
          + " io.entroq.api.worker.WorkContext.";
  private static final List<Class<?>> RESULTS =
      List.of(void.class, Outcome.class, Modification.class);

  private final Method method;
  private final Supplier<Object> bean;
  private final Type payload;
  private final List<Function<WorkContext<Object>, Object>> arguments = new ArrayList<>();

  /**
   * @param bean called for each task
   * @param invoked as it can be called on the bean, which may be a proxy
   * @param declared the same method in the class that the application wrote
   * @throws InvalidListenerException if no listener can look like this
   */
  ListenerMethod(Supplier<Object> bean, Method invoked, Method declared, Class<?> beanType) {
    this.bean = bean;
    this.method = invoked;
    requireResult(declared);
    payload = bind(declared, beanType);
    ReflectionUtils.makeAccessible(invoked);
  }

  /** The type of the payload; {@link Value} if the method does not ask for one. */
  Type payload() {
    return payload;
  }

  private static void requireResult(Method method) {
    Class<?> type = method.getReturnType();
    if (!RESULTS.contains(type)) {
      throw new InvalidListenerException(
          "The listener " + text(method) + " returns " + type.getTypeName() + ".",
          "Return void, io.entroq.api.worker.Outcome or io.entroq.api.Modification. To enqueue"
              + " what it made, return a Modification with an EntroQTemplate.insert.");
    }
  }

  /** Finds out what each parameter gets, and of which type the payload is. */
  private Type bind(Method declared, Class<?> beanType) {
    requireOnce(declared, Task.class);
    requireOnce(declared, WorkContext.class);
    List<Type> payloads = new ArrayList<>();
    Optional<Type> context = Optional.empty();
    for (Type parameter : declared.getGenericParameterTypes()) {
      Type type = GenericTypeResolver.resolveType(parameter, beanType);
      Class<?> raw = ResolvableType.forType(type).toClass();
      if (raw == Task.class) {
        arguments.add(WorkContext::task);
      } else if (raw == WorkContext.class) {
        arguments.add(work -> work);
        context = valueType(type);
      } else {
        requirePayload(declared, raw, type);
        arguments.add(WorkContext::value);
        payloads.add(type);
      }
    }
    return onePayload(declared, payloads, context);
  }

  private static Type onePayload(Method method, List<Type> payloads, Optional<Type> context) {
    if (payloads.size() > 1) {
      throw new InvalidListenerException(
          "The listener %s has %d parameters for the payload: %s."
              .formatted(text(method), payloads.size(), names(payloads)),
          PARAMETERS + " Put what belongs to one task into one type.");
    }
    Type type = payloads.isEmpty() ? context.orElse(Value.class) : payloads.get(0);
    if (context.isPresent() && !context.get().equals(type)) {
      throw new InvalidListenerException(
          "The listener %s has a payload of %s and a context of %s."
              .formatted(text(method), type.getTypeName(), context.get().getTypeName()),
          "Give both the same type, or write WorkContext<?>.");
    }
    return type;
  }

  private static void requireOnce(Method method, Class<?> type) {
    if (Stream.of(method.getParameterTypes()).filter(other -> other == type).count() > 1) {
      throw new InvalidListenerException(
          "The listener " + text(method) + " has " + type.getName() + " more than once.",
          PARAMETERS);
    }
  }

  /** Refuses what is not the payload, such as the queue itself, and what says nothing about it. */
  private static void requirePayload(Method method, Class<?> raw, Type type) {
    if (raw == Object.class
        || (raw.getName().startsWith("io.entroq.api.") && raw != Value.class)
        || raw.getName().startsWith("org.springframework.")) {
      throw new InvalidListenerException(
          "The listener %s has a parameter of %s, which is no payload."
              .formatted(text(method), type.getTypeName()),
          PARAMETERS + " Anything else belongs into a field of the bean.");
    }
  }

  /** The type of the value in a context; empty if it does not say one. */
  private static Optional<Type> valueType(Type context) {
    return context instanceof ParameterizedType known
            && !(known.getActualTypeArguments()[0] instanceof WildcardType)
        ? Optional.of(known.getActualTypeArguments()[0])
        : Optional.empty();
  }

  private static String names(List<Type> types) {
    return types.stream().map(Type::getTypeName).collect(Collectors.joining(", "));
  }

  /** A method as messages name it. */
  static String text(Method method) {
    return method.getDeclaringClass().getName()
        + "."
        + method.getName()
        + Stream.of(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  /** Calls the method; throws what it throws. */
  @Override
  public Outcome handle(WorkContext<Object> work) throws Exception {
    Object[] values = arguments.stream().map(argument -> argument.apply(work)).toArray();
    Object result;
    try {
      result = method.invoke(bean.get(), values);
    } catch (InvocationTargetException e) {
      if (e.getTargetException() instanceof Error error) {
        throw error;
      }
      throw (Exception) e.getTargetException();
    }
    if (method.getReturnType() == void.class) {
      return Outcome.done();
    }
    return Objects.requireNonNull(result, "the listener returned null")
            instanceof Modification modification
        ? Outcome.done(modification)
        : (Outcome) result;
  }

  @Override
  public String toString() {
    return text(method);
  }
}
