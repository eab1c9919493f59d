package io.entroq.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with a listener instead of a stack trace, as Spring Boot does. */
final class InvalidListenerFailureAnalyzer
    extends AbstractFailureAnalyzer<InvalidListenerException> {
  /** For Spring. */
  InvalidListenerFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable failure, InvalidListenerException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
