package io.entroq.spring;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Finds the methods of beans with {@link QueueListener}, and checks them. */
final class ListenerFinder {
  private final ConfigurableListableBeanFactory beans;
  private final EntroQProperties.Listener defaults;

  ListenerFinder(ConfigurableListableBeanFactory beans, EntroQProperties.Listener defaults) {
    this.beans = beans;
    this.defaults = defaults;
  }

  /**
   * All listeners, by name.
   *
   * @throws InvalidListenerException if one is wrong
   */
  List<ListenerDefinition> find() {
    Map<String, ListenerDefinition> found = new TreeMap<>();
    for (String bean : beans.getBeanNamesForType(Object.class)) {
      Class<?> type = beanType(bean);
      if (type != null && AnnotationUtils.isCandidateClass(type, QueueListener.class)) {
        annotated(type)
            .forEach((method, annotation) -> add(found, define(bean, type, method, annotation)));
      }
    }
    return List.copyOf(found.values());
  }

  /** The class that the application wrote; null if the bean is only the target of another one. */
  private Class<?> beanType(String bean) {
    if (ScopedProxyUtils.isScopedTarget(bean)) {
      return null;
    }
    Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
    return type == null ? null : ClassUtils.getUserClass(type);
  }

  private static Map<Method, QueueListener> annotated(Class<?> type) {
    return MethodIntrospector.selectMethods(
        type,
        (MethodIntrospector.MetadataLookup<QueueListener>)
            method -> AnnotatedElementUtils.findMergedAnnotation(method, QueueListener.class));
  }

  private static void add(Map<String, ListenerDefinition> found, ListenerDefinition listener) {
    ListenerDefinition other = found.put(listener.name(), listener);
    if (other != null) {
      throw new InvalidListenerException(
          "Two listeners have the name '%s': %s and %s."
              .formatted(listener.name(), other.method(), listener.method()),
          "Give one of them another name: @QueueListener(value = ..., name = \"...\").");
    }
  }

  private ListenerDefinition define(
      String bean, Class<?> type, Method method, QueueListener annotation) {
    ListenerMethod handler =
        new ListenerMethod(() -> beans.getBean(bean), invocable(bean, method), method, type);
    String name =
        annotation.name().isEmpty()
            ? bean + "." + method.getName()
            : text(method, "name", annotation.name());
    List<String> queues =
        Stream.of(annotation.value()).map(queue -> text(method, "value", queue)).toList();
    requireQueues(method, queues);
    return new ListenerDefinition(
        name,
        queues,
        setting(method, "concurrency", annotation.concurrency(), defaults.concurrency()),
        setting(
            method, "lease", annotation.lease(), DurationStyle::detectAndParse, defaults.lease()),
        setting(method, "attempts", annotation.attempts(), defaults.attempts()),
        List.of(annotation.quarantine()),
        handler);
  }

  /** The same method as the bean has it, which may be a proxy. */
  private Method invocable(String bean, Method method) {
    Class<?> type = beans.getType(bean);
    try {
      return type == null ? method : AopUtils.selectInvocableMethod(method, type);
    } catch (IllegalStateException e) {
      throw new InvalidListenerException(
          "The listener " + ListenerMethod.text(method) + " cannot be called: " + e.getMessage(),
          "Make the method public, and part of the interface if the bean is proxied by one.",
          e);
    }
  }

  private static void requireQueues(Method method, List<String> queues) {
    try {
      Claim unused = Claim.from(queues);
    } catch (EntroQException.InvalidArgument e) {
      throw invalid(method, "value", queues.toString(), e);
    }
  }

  private int setting(Method method, String attribute, String text, int otherwise) {
    return setting(method, attribute, text, Integer::parseInt, otherwise);
  }

  private <T> T setting(
      Method method, String attribute, String text, Function<String, T> parser, T otherwise) {
    if (text.isEmpty()) {
      return otherwise;
    }
    String value = text(method, attribute, text);
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw invalid(method, attribute, value, e);
    }
  }

  /** With its placeholders replaced. */
  private String text(Method method, String attribute, String text) {
    try {
      String resolved = beans.resolveEmbeddedValue(text);
      return resolved == null ? "" : resolved;
    } catch (IllegalArgumentException e) {
      throw invalid(method, attribute, text, e);
    }
  }

  private static InvalidListenerException invalid(
      Method method, String attribute, String value, RuntimeException cause) {
    return new InvalidListenerException(
        "The listener %s has %s = \"%s\": %s"
            .formatted(ListenerMethod.text(method), attribute, value, cause.getMessage()),
        "Correct the annotation, or the property that it names.",
        cause);
  }
}
