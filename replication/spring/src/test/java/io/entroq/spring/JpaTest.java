package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.service.testing.Await;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tasks of transactions of JPA, which have their own transaction manager. */
class JpaTest {
  @Entity(name = "saved")
  static class Saved {
    @Id int id;

    Saved() {}

    Saved(int id) {
      this.id = id;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Application {
    @Bean
    TestEntroQ queue() {
      return TestEntroQ.open();
    }

    @Bean
    LocalContainerEntityManagerFactoryBean entities(DataSource dataSource) {
      LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
      factory.setDataSource(dataSource);
      factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
      factory.setManagedTypes(PersistenceManagedTypes.of(Saved.class.getName()));
      factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "create"));
      return factory;
    }

    @Bean
    PlatformTransactionManager transactions(EntityManagerFactory entities) {
      return new JpaTransactionManager(entities);
    }
  }

  @Test
  void shouldEnqueueInATransactionOfJpa() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                JacksonAutoConfiguration.class,
                EntroQAutoConfiguration.class,
                EntroQOutboxAutoConfiguration.class,
                DataSourceAutoConfiguration.class))
        .withUserConfiguration(Application.class)
        .run(
            context -> {
              EntityManager entities =
                  SharedEntityManagerCreator.createSharedEntityManager(
                      context.getBean(EntityManagerFactory.class));
              TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
              TransactionTemplate transaction =
                  new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
              transaction.executeWithoutResult(
                  status -> {
                    entities.persist(new Saved(1));
                    outbox.enqueue("lost", "x");
                    status.setRollbackOnly();
                  });
              transaction.executeWithoutResult(
                  status -> {
                    entities.persist(new Saved(2));
                    outbox.enqueue("kept", "x");
                  });
              TestEntroQ queue = context.getBean(TestEntroQ.class);
              Await.until("it is there", () -> queue.tasks(TaskQuery.in("kept")).size() == 1);
              assertThat(queue.tasks(TaskQuery.in("lost"))).isEmpty();
              assertThat(
                      entities
                          .createQuery("select s.id from saved s", Integer.class)
                          .getResultList())
                  .containsExactly(2);
            });
  }
}
