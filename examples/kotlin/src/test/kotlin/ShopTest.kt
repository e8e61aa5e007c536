package com.example.shop

import dev.orderly.testkit.MemoryStore
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import tools.jackson.databind.json.JsonMapper

class ShopTest {
    @Test
    fun aSavedProfileSendsAMail() {
        val sent = LinkedBlockingQueue<Mail>()
        Shop(MemoryStore()) { mail -> sent.add(mail) }.use { shop ->
            shop.save(Profile("ada", "ada@example.com"))

            assertThat(sent.poll(1, TimeUnit.MINUTES))
                .isEqualTo(Mail("ada@example.com", "Profile of ada saved, attempt 1"))
        }
    }

    @Test
    fun anOptionalPropertyMayLack() {
        val earlier = """{"userId":"ada","email":"ada@example.com"}"""

        assertThat(JsonMapper().readValue(earlier, Profile::class.java)).isEqualTo(Profile("ada", "ada@example.com"))
    }

    @Test
    fun aSecondReminderIsTheFirstOne() {
        Shop(MemoryStore()) { }.use { shop ->
            val ada = Profile("ada", "ada@example.com")

            assertThat(shop.remind(ada)).isEqualTo(shop.remind(ada))
        }
    }
}
