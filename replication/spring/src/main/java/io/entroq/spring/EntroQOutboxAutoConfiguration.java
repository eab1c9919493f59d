package io.entroq.spring;

import io.entroq.jdbc.Outbox;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** An outbox in the database of an application that has {@code entroq-jdbc} and a DataSource. */
@AutoConfiguration(
    after = EntroQAutoConfiguration.class,
    afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass({
  Outbox.class,
  JdbcTemplate.class,
  EmbeddedDatabaseConnection.class,
  DatabaseInitializationMode.class
})
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBooleanProperty(name = "entroq.outbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OutboxProperties.class)
public final class EntroQOutboxAutoConfiguration {
  /** For Spring. */
  public EntroQOutboxAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  TransactionalOutbox entroQOutbox(
      DataSource dataSource, EntroQTemplate template, OutboxProperties properties) {
    return new TransactionalOutbox(dataSource, template, properties);
  }

  @Bean
  @ConditionalOnMissingBean
  TransactionalProcessed entroQProcessed(DataSource dataSource, OutboxProperties properties) {
    return new TransactionalProcessed(dataSource, properties.prefix());
  }

  /** Of the application's own outboxes, too. */
  @Bean
  OutboxMonitor entroQOutboxMonitor(Map<String, TransactionalOutbox> outboxes) {
    return new OutboxMonitor(outboxes);
  }
}
