package com.example.shop

import dev.orderly.Orderly
import dev.orderly.Store
import dev.orderly.job.FifoQueue
import dev.orderly.job.JobId
import dev.orderly.job.StandardQueue
import dev.orderly.store.sqlite.SqliteStore
import java.nio.file.Path
import java.time.Duration
import java.util.Optional

@JvmRecord
data class Mail(val to: String, val text: String)

@JvmRecord
data class Profile(val userId: String, val email: String, val phone: Optional<String> = Optional.empty())

/** A queue of the payload's type, without a class literal. */
inline fun <reified T : Any> Orderly.queue(name: String): StandardQueue<T> = queue(name, T::class.java)

inline fun <reified T : Any> Orderly.fifo(name: String): FifoQueue<T> = fifo(name, T::class.java)

fun interface MailServer {
    fun send(mail: Mail)
}

class Shop(store: Store, mailServer: MailServer) : AutoCloseable {
    private val orderly: Orderly = Orderly.open(store)
    private val mails: StandardQueue<Mail> = orderly.queue("mails")
    private val profiles: FifoQueue<Profile> = orderly.fifo("update_profile.fifo")

    init {
        orderly.handle(mails) { mail, _ -> mailServer.send(mail) }
        orderly.handle(profiles) { profile, job ->
            job.progress(1, 2, "updating the CRM")
            mails.push(Mail(profile.email, "Profile of ${profile.userId} saved, attempt ${job.attempt()}"))
        }
        orderly.start()
    }

    fun save(profile: Profile): JobId = profiles.group(profile.userId).push(profile)

    fun remind(profile: Profile): JobId =
        mails.delay(Duration.ofDays(1)).dedupe("remind-${profile.userId}").push(Mail(profile.email, "Still there?"))

    override fun close() = orderly.close()
}

fun main() {
    Shop(SqliteStore.at(Path.of("shop.db"))) { mail -> println("to ${mail.to}: ${mail.text}") }.use { shop ->
        shop.save(Profile("ada", "ada@example.com"))
        println("Return ends it")
        readlnOrNull()
    }
}
