package io.entroq.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * The outbox in the application's database; see {@link TransactionalOutbox}.
 *
 * @param enabled Whether there is an outbox, if the application has entroq-jdbc and a DataSource.
 * @param autoStartup Whether this instance brings tasks from the outbox to the queue. At least one
 *     instance must.
 * @param prefix With which the names of the tables begin: a lower-case letter with up to 39
 *     letters, digits and underscores behind it.
 * @param initializeSchema Whether to create the tables if they do not exist.
 * @param batchRows How many tasks to bring to the queue at a time; 1 to 1,000.
 * @param pollInterval How often to look for tasks that other instances have left; 10ms to 1h.
 */
@ConfigurationProperties("entroq.outbox")
public record OutboxProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("true") boolean autoStartup,
    @DefaultValue("entroq") String prefix,
    @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
    @DefaultValue("100") int batchRows,
    @DefaultValue("1s") Duration pollInterval) {}
